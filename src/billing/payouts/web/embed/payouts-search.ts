import { type PayoutState, payoutStates } from '../../rules.ts'

/** URL parameters of the tab. */
export interface PayoutsSearch {
  /** The state that is shown. */
  payouts?: PayoutState
  /** The payout that is open. */
  payout?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads URL parameters, which may be hand-typed. Invalid values become undefined. */
export const readPayoutsSearch = ({ payouts, payout }: Record<string, unknown>): PayoutsSearch => ({
  payouts: payoutStates.find((state) => state === payouts),
  payout: typeof payout === 'string' && uuid.test(payout) ? payout : undefined,
})
