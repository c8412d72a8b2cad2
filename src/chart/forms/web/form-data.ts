import type { Client } from '../../../ui/client/api.ts'
import { codeOf } from '../../../ui/client/refusal.ts'

export type TemplateData = Awaited<ReturnType<Client['forms']['template']>>
export type SentFormData = Awaited<ReturnType<Client['forms']['ofContact']>>[number]
export type SubmittedFormData = Awaited<ReturnType<Client['forms']['get']>>
export type ReviewData = Awaited<ReturnType<Client['forms']['review']>>
export type ReviewItemData = ReviewData['items'][number]

/** What the chart says now, if that is why a decision was refused. */
export const currentReviewOf = (error: unknown): ReviewData | null =>
  codeOf(error) === 'CHANGED' ? (error as { data: { current: ReviewData } }).data.current : null
