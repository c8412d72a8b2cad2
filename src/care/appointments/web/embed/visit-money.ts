import { createContext, type ReactNode } from 'react'

/** Renders the deposit and the fee of an appointment in its drawer; billing, which comes later in the order of domains, does so through `app`. */
export const VisitMoneySection = createContext<(props: { appointmentId: string; status: string }) => ReactNode>(() => null)
