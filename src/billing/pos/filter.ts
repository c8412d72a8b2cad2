import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { receiptStates } from '../payments/contract.ts'

const chosen = (message: string) => requiredText(64, message).optional()

/** Filters of the receipt list, its totals and its export. */
export const receiptFilters = z.strictObject({
  /** Calendar days in the practice's time zone, inclusive. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  method: chosen('Choose a payment method'),
  accountId: chosen('Choose a deposit account'),
  classId: chosen('Choose a class'),
  /** The user who took the payment. */
  staffId: z.uuid().optional(),
  contactId: z.uuid().optional(),
  /** Part of the customer's name, or a receipt number. */
  search: requiredText(100, 'Type a name or a number').optional(),
  /** Only complete receipts by default, because only they took money. */
  state: z.enum(receiptStates).default('complete'),
})
export type ReceiptFilters = z.output<typeof receiptFilters>

export const receiptPages = cursorPages(instantPlace, { limit: 50, max: 200 })
