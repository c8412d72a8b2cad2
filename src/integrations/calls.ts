/** Publishes each call of another system, for metrics, traces and the state of its connection. Without a subscriber it costs nothing. */
import { tracingChannel } from 'node:diagnostics_channel'

export type Vendor = 'postmark' | 'quickbooks' | 'nylas' | 'gmail' | 's3' | 'clamd' | 'oidc' | 'timestamp-authority' | 'twilio' | 'stripe'

/**
 * - `refused`: understood and refused; the system works. - `cancelled`: given up by us. - `credentials`: it no longer accepts ours.
 * - `limited`: too many calls. - `away`: no response, or an outage. - `unreadable`: a response that is not in its format.
 */
export type Outcome = 'ok' | 'refused' | 'cancelled' | 'credentials' | 'limited' | 'away' | 'unreadable'

/** `email`: whether it sends an email. `outcome`: known once the call has ended. */
export type VendorCall = { vendor: Vendor; isEmail: boolean; startedAt: number; outcome: Outcome }

export const vendorCalls = tracingChannel<unknown, VendorCall>('refyne:vendor-call')

type Observed<Result> = {
  vendor: Vendor
  isEmail?: boolean
  outcomeOf: (result: Result) => Outcome
  outcomeOfError?: (error: unknown) => Outcome
}

/** Runs a call. `outcomeOf`, `outcomeOfError`: how it ended; an error means `away` by default. */
export function observeCall<Result>(
  { vendor, isEmail = false, outcomeOf, outcomeOfError = () => 'away' }: Observed<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!vendorCalls.hasSubscribers) return work()
  const call: VendorCall = { vendor, isEmail, startedAt: performance.now(), outcome: 'ok' }
  return vendorCalls.tracePromise(async () => {
    try {
      const result = await work()
      call.outcome = outcomeOf(result)
      return result
    } catch (error) {
      call.outcome = outcomeOfError(error)
      throw error
    }
  }, call)
}
