import { useSyncExternalStore } from 'react'

/** What a patient owes that the payment is for. */
export interface ChargeToPay {
  id: string
  description: string
  openCents: number
  /** What made the charge: of a quote, its items can be sold. */
  source?: 'staff' | 'quote'
}

/** `opened` tells one opening from the next: each begins again (spec 4). */
export interface PaymentDialogState {
  opened: number
  /** The patient whom it was opened from: their customer is chosen where they have one. */
  contactId: string | null
  charge: ChargeToPay | null
}

let state: PaymentDialogState | null = null
let openings = 0
const watchers = new Set<() => void>()

function set(next: PaymentDialogState | null) {
  state = next
  for (const watch of watchers) watch()
}

export const openPayment = ({ contactId, charge }: { contactId?: string; charge?: ChargeToPay } = {}): void =>
  set({ opened: ++openings, contactId: contactId ?? null, charge: charge ?? null })

export const closePayment = (): void => set(null)

/** What the one dialog, which stands in the shell, is open for; null when it is closed. */
export function usePaymentDialog(): PaymentDialogState | null {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => state,
  )
}
