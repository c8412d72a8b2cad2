import { useSyncExternalStore } from 'react'

/** The charge that the payment is for. */
export interface ChargeToPay {
  id: string
  description: string
  openCents: number
  /** The charge's source: a quote's items can be sold. */
  source?: 'staff' | 'quote' | 'fee'
}

/** `opened` distinguishes openings: each one starts over (spec 4). */
export interface PaymentDialogState {
  opened: number
  /** The patient that it was opened from: their customer is preselected. */
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

/** State of the payment dialog in the shell; null while it is closed. */
export function usePaymentDialog(): PaymentDialogState | null {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => state,
  )
}
