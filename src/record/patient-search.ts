/**
 * The tabs that have a URL. The first tab has none, and neither has Details, which is a tab only where there is no room for the side panel.
 */
export const urlTabs = [
  'chart',
  'photos',
  'tasks',
  'messages',
  'appointments',
  'surgery',
  'forms',
  'account',
  'documents',
  'history',
] as const
export type UrlTab = (typeof urlTabs)[number]

/** Search parameters of a patient's page: the open tab, unless it is the first. */
export interface PatientSearch {
  tab?: UrlTab
}

export const readPatientSearch = ({ tab }: Record<string, unknown>): PatientSearch => ({ tab: urlTabs.find((urlTab) => urlTab === tab) })

export const isUrlTab = (tab: string): tab is UrlTab => urlTabs.some((urlTab) => urlTab === tab)
