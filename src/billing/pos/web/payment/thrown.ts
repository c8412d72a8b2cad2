import { ORPCError } from '@orpc/client'
import { codeOf, messageOf, statusOf } from '../../../../ui/client/api.ts'
import type { Thrown } from './outcome.ts'

export const thrownBy = (error: unknown): Thrown => ({
  status: statusOf(error),
  code: codeOf(error),
  message: messageOf(error),
  data: error instanceof ORPCError ? (error.data as unknown) : undefined,
})
