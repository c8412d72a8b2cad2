import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { ConsentNeeded } from '../../../../crm/consent/web/embed/ConsentNeeded.tsx'

interface AdvertisingProps {
  isCommercial: boolean
  /** Its words are a marketing template's: then it advertises, whatever anyone ticks. */
  isOffer: boolean
  onChange: (isCommercial: boolean) => void
  contactId: string
  address: string
  /** Why it was refused, where it was. */
  refusal: string | null
  className?: string
}

/** Whether a mail advertises: the law asks for a consent and for a way to end it. */
export function Advertising({ isCommercial, isOffer, onChange, contactId, address, refusal, className }: AdvertisingProps) {
  const needs = 'It needs the patient’s consent and carries a link to unsubscribe.'
  return (
    <div className={className}>
      <CheckboxLine
        checked={isCommercial || isOffer}
        disabled={isOffer}
        onCheckedChange={onChange}
        hint={isOffer ? `Its template is marketing. ${needs}` : needs}
      >
        Marketing email (requires consent)
      </CheckboxLine>
      {refusal !== null && <ConsentNeeded contactId={contactId} address={address} message={refusal} className="pt-2" />}
    </div>
  )
}
