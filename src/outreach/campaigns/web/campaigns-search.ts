/** The URL state of the list of campaigns: the page, and the filter of the list of patients for which a new one is begun. */
export interface CampaignsSearch {
  page?: number
  search?: string
  filter?: string
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const readCampaignsSearch = (from: Record<string, unknown>): CampaignsSearch => ({
  page: Number.isSafeInteger(from.page) && Number(from.page) > 1 ? Number(from.page) : undefined,
  search: textOf(from.search),
  filter: textOf(from.filter),
})
