import { type Clock, formatDate } from '../../../ui/format.ts'

/** The last day on which consent is valid; `expiresAt` is the start of the next day. */
export const lastDayOf = (expiresAt: string, { timeZone }: Clock): string => formatDate(new Date(Date.parse(expiresAt) - 1), timeZone)
