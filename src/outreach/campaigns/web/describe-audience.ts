import type { CampaignData } from './campaign-data.ts'

/** The patients of a campaign in words. */
export function describeAudience({ search, filter }: CampaignData['audience'], name: string | null): string {
  if (name) return name
  return search || filter ? 'A filter of the patient list' : 'All patients'
}
