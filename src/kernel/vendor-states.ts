import { type Outcome, type Vendor, type VendorCall, vendorCalls } from '../integrations/calls.ts'

/** What this process knows of another system from its own calls. */
export type VendorState = {
  /** A refusal is a response as well. */
  lastResponseAt: Date | null
  /** Why the last call failed; null if it did not. */
  failure: Outcome | null
  failingSince: Date | null
}

export type VendorStates = { of: (vendor: Vendor) => VendorState; stop: () => void }

const failures: readonly Outcome[] = ['credentials', 'limited', 'away', 'unreadable']

export function followVendors(): VendorStates {
  const states = new Map<Vendor, VendorState>()
  const of = (vendor: Vendor): VendorState => states.get(vendor) ?? { lastResponseAt: null, failure: null, failingSince: null }
  const onCall = (message: unknown) => {
    const { vendor, outcome } = message as VendorCall
    if (outcome === 'cancelled') return
    const now = new Date()
    const before = of(vendor)
    const isFailure = failures.includes(outcome)
    states.set(
      vendor,
      isFailure
        ? { ...before, failure: outcome, failingSince: before.failingSince ?? now }
        : { lastResponseAt: now, failure: null, failingSince: null },
    )
  }
  vendorCalls.asyncEnd.subscribe(onCall)
  return { of, stop: () => vendorCalls.asyncEnd.unsubscribe(onCall) }
}
