/** The tabs that have an address. The first tab has none, nor have the details, which are one only where they have no room beside the others. */
export const addressedTabs = ['tasks', 'messages', 'appointments', 'surgery', 'account', 'documents', 'history'] as const
export type AddressedTab = (typeof addressedTabs)[number]

/** What the address of a patient says: the tab that is open, unless it is the first. */
export interface PatientSearch {
  tab?: AddressedTab
}

export const readPatientSearch = ({ tab }: Record<string, unknown>): PatientSearch => ({ tab: addressedTabs.find((one) => one === tab) })

export const isAddressed = (tab: string): tab is AddressedTab => addressedTabs.some((one) => one === tab)
