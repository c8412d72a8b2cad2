import { ORPCError } from '@orpc/client'

/** The error with which a call of the typed client was refused. */
export const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ORPCError)) throw new Error(`The call was not refused: ${String(error)}`)
  return error as ORPCError<
    string,
    { fields?: Record<string, string>; existing?: { id: string }; current?: Record<string, unknown>; changes?: { field: string }[] }
  >
}
