export { prepaidAmong } from './held.ts'
export { itemFor, prepaidItemsOf } from './items.ts'
export { codeOf, creditAccountOf } from './ledger.ts'
export {
  checkTaken,
  completePrepaid,
  findUses,
  issuedCents,
  issuedRefunds,
  issueOf,
  returnsOf,
  reversePrepaid,
  takeIssued,
  takeUses,
  usedOfLines,
} from './receipts.ts'
