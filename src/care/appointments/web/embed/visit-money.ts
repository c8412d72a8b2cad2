import { createContext, type ReactNode } from 'react'

/** Renders the money of an appointment; billing, which comes later in the order of domains, does so through `app`. */
interface VisitMoney {
  /** The deposit and the fee, in its drawer. */
  section: (props: { appointmentId: string; status: string }) => ReactNode
  /** What cancelling it now means for both, in the dialog that cancels it. */
  cancellation: (props: { appointmentId: string }) => ReactNode
}
export const VisitMoneyContext = createContext<VisitMoney>({ section: () => null, cancellation: () => null })
