import { useClock } from '../../../../ui/client/session.ts'
import { nameWithPreferred } from './contact-data.ts'
import { formatBirth } from './contact-text.ts'

/** A patient with the two identifiers that are checked before anything is done to them: the name and the birth date. */
export interface IdentifiedPatient {
  firstName: string
  lastName: string
  preferredName: string | null
  dateOfBirth: string | null
}

interface PatientIdentityProps {
  patient: IdentifiedPatient
  /** Where the name is the heading above. */
  hidesName?: boolean
}

/** 'Deepa “Dee” Thambirajah · Born Mar 14, 1988 (38)' */
export function PatientIdentity({ patient, hidesName = false }: PatientIdentityProps) {
  const clock = useClock()
  const birth = patient.dateOfBirth === null ? 'Birth date not recorded' : formatBirth(patient.dateOfBirth, clock)
  return <span className="tabular-nums">{hidesName ? birth : `${nameWithPreferred(patient)} · ${birth}`}</span>
}
