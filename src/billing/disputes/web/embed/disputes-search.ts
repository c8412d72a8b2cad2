/** URL parameters of the tab. */
export interface DisputesSearch {
  disputes?: 'open' | 'over'
  /** The dispute that is open. */
  dispute?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads URL parameters, which may be hand-typed. Invalid values become undefined. */
export const readDisputesSearch = ({ disputes, dispute }: Record<string, unknown>): DisputesSearch => ({
  disputes: disputes === 'open' || disputes === 'over' ? disputes : undefined,
  dispute: typeof dispute === 'string' && uuid.test(dispute) ? dispute : undefined,
})
