import { lazySection } from '../../../../ui/lazy-section.tsx'
import type { AccountPatient } from '../account-data.ts'

/** The Account tab of the patient page. Its code loads when the tab is first shown. */
export const AccountTab = lazySection<{ patient: AccountPatient }>(async () => (await import('../account/Account.tsx')).Account)
