import { ORPCError } from '@orpc/client'
import { codeOf, messageOf, statusOf } from '../../../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../../../ui/client/refusal.ts'
import type { Thrown } from '../outcome.ts'

/** An error message to show: a field's error, otherwise the server's message, including that QuickBooks is down. */
export const reasonOf = (error: unknown): string =>
  Object.values(fieldErrorsOf(error))[0] ?? (error instanceof ORPCError && codeOf(error) === 'AWAY' ? error.message : messageOf(error))

export const thrownBy = (error: unknown): Thrown => ({
  status: statusOf(error),
  code: codeOf(error),
  message: messageOf(error),
  data: error instanceof ORPCError ? (error.data as unknown) : undefined,
})
