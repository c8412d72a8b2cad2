import { lazyPart } from '../../../../ui/lazy-part.tsx'
import type { AccountPatient } from '../account-data.ts'

/** What a patient owes and has paid, on a page of theirs: its code comes when it is shown. */
export const AccountTab = lazyPart<{ patient: AccountPatient }>(async () => (await import('../account/Account.tsx')).Account)
