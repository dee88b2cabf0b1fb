/** The error with which Node's own functions answer an aborted signal. */
export function abortError(signal: { readonly reason?: unknown } | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  error.name = "AbortError";
  return Object.assign(error, { code: "ABORT_ERR" });
}
