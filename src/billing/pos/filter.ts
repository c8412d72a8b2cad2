import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { receiptStates } from '../payments/contract.ts'

const chosen = (message: string) => requiredText(64, message).optional()

/** Which receipts: a list's, its totals' and its file's. */
export const receiptFilters = z.strictObject({
  /** Calendar days of the practice, both included. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  method: chosen('Choose a payment method'),
  accountId: chosen('Choose a deposit account'),
  classId: chosen('Choose a class'),
  /** Who has taken the payment. */
  staffId: z.uuid().optional(),
  contactId: z.uuid().optional(),
  /** A part of the customer's name, or a receipt's number. */
  search: requiredText(100, 'Type a name or a number').optional(),
  /** Money was taken with the complete ones alone, so totals are theirs unless told otherwise. */
  state: z.enum(receiptStates).default('complete'),
})
export type ReceiptFilters = z.output<typeof receiptFilters>

export const receiptPages = cursorPages(instantPlace, { limit: 50, max: 200 })
