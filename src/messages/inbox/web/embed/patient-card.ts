import { createContext, type ReactNode } from 'react'
import type { Clock } from '../../../../ui/format.ts'

export interface PatientCardProps {
  contactId: string
  clock: Clock
}

/** Renders a card in the panel of a patient for what comes after the inbox in the order of domains; `app` provides it. */
export const PatientCard = createContext<(props: PatientCardProps) => ReactNode>(() => null)
