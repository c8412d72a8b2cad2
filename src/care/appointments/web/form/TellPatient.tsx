import { CheckboxLine } from '../../../../ui/Checkbox.tsx'
import { useAddress } from './useAddress.ts'

interface TellPatientProps {
  contactId: string
  value: boolean
  onChange: (value: boolean) => void
  className?: string
}

/** Whether the patient hears of it. Who has no address is told nothing, and that is said. */
export function TellPatient({ contactId, value, onChange, className }: TellPatientProps) {
  const address = useAddress(contactId)
  if (address === null) return <p className={`${className} text-sm text-fg-3`}>The patient has no email address, and is not told.</p>
  return (
    <CheckboxLine
      checked={value}
      onCheckedChange={onChange}
      hint={<span className="wrap-anywhere">{address ? `${address}: now, when it changes, and two days and a day before` : '\u00a0'}</span>}
      className={className}
    >
      Tell the patient by email
    </CheckboxLine>
  )
}
