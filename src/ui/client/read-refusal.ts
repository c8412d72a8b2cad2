import { createORPCErrorFromJson, isORPCErrorJson, type ORPCError } from '@orpc/client'

/** A refusal of the point of sale, which has `error` (spec 7) in addition to oRPC's fields. Null for anything else. */
export function readRefusal(body: unknown): ORPCError<string, unknown> | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error: _, ...rest } = body
  return isORPCErrorJson(rest) ? createORPCErrorFromJson(rest) : null
}
