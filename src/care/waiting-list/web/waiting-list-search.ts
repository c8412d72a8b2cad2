import { isUuid } from '../../../shared/text.ts'

/** The URL state of the waiting list. */
export interface WaitingListSearch {
  visit?: string
  provider?: string
}

const id = (value: unknown): string | undefined => (typeof value === 'string' && isUuid(value) ? value : undefined)

export const readWaitingListSearch = (from: Record<string, unknown>): WaitingListSearch => ({
  visit: id(from.visit),
  provider: id(from.provider),
})
