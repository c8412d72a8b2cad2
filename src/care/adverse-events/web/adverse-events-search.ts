import { isUuid } from '../../../shared/text.ts'

const reports = ['open', 'filed'] as const

/** The URL state of the register. Defaults are omitted. The page knows the kinds: the first load does without their rules. */
export interface AdverseEventsSearch {
  report?: (typeof reports)[number]
  kind?: string
  surgeon?: string
  /** The event whose drawer is open. */
  event?: string
}

const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined => values.find((one) => one === value)
const id = (value: unknown): string | undefined => (typeof value === 'string' && isUuid(value) ? value : undefined)

export const readAdverseEventsSearch = (from: Record<string, unknown>): AdverseEventsSearch => ({
  report: oneOf(from.report, reports),
  kind: typeof from.kind === 'string' ? from.kind : undefined,
  surgeon: id(from.surgeon),
  event: id(from.event),
})
