/** What the address of a patient says: the tab that is open, unless it is the first. */
export interface PatientSearch {
  tab?: 'documents' | 'account'
}

export const readPatientSearch = ({ tab }: Record<string, unknown>): PatientSearch => ({
  tab: tab === 'documents' || tab === 'account' ? tab : undefined,
})
