/** Deposits of money to a bank account from other accounts. Deposits of single receipts (`LinkedTxn`) are not supported. */
import { z } from 'zod'
import { quickBooksTime } from '../entity.ts'
import { centsOf, dollarsOf } from '../fraction.ts'
import { decimalNumber, parseInput, reference } from '../parse-input.ts'
import { businessFault, missing } from '../refusal.ts'
import { depositAccount, resolve, type SaleContext } from './sales.ts'

const line = z.looseObject({
  /** Negative for what is taken out of the deposit, such as a fee. */
  Amount: decimalNumber,
  DetailType: z.literal('DepositLineDetail'),
  Description: z.string().max(4000).optional(),
  DepositLineDetail: z.looseObject({ AccountRef: reference, ClassRef: reference.optional() }),
})
const depositInput = z.looseObject({
  Line: z.array(line),
  DepositToAccountRef: reference,
  PrivateNote: z.string().max(4000).optional(),
  TxnDate: z.iso.date().optional(),
  /** Required outside of the United States. */
  GlobalTaxCalculation: z.enum(['TaxExcluded', 'TaxInclusive', 'NotApplicable']),
})

/** @returns the response body. @throws Refusal for an invalid deposit. */
export function createDeposit(body: unknown, { store, now, requestId }: SaleContext): Record<string, unknown> {
  const input = parseInput(depositInput, body)
  if (input.Line.length === 0) throw missing('Line')
  const total = input.Line.reduce((sum, { Amount }) => sum + centsOf(Amount), 0n)
  if (total < 0n) throw businessFault('Transaction amount must be 0 or greater.')
  const draft = {
    ...input,
    DepositToAccountRef: depositAccount(store, input.DepositToAccountRef),
    TxnDate: input.TxnDate ?? quickBooksTime(now).slice(0, 10),
    CurrencyRef: { value: 'CAD', name: 'Canadian Dollar' },
    Line: input.Line.map((one, index) => ({
      ...one,
      Id: String(index + 1),
      LineNum: index + 1,
      Amount: dollarsOf(centsOf(one.Amount)),
      DepositLineDetail: { ...one.DepositLineDetail, AccountRef: resolve(store, 'Account', one.DepositLineDetail.AccountRef) },
    })),
    TotalAmt: dollarsOf(total),
  }
  return store.create('Deposit', draft, requestId)
}
