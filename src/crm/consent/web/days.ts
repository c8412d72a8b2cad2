import { type Clock, formatDate } from '../../../ui/format.ts'

/** The day with whose end a basis ends. */
export const lastDayOf = (expiresAt: string, { timeZone }: Clock): string => formatDate(new Date(Date.parse(expiresAt) - 1), timeZone)
