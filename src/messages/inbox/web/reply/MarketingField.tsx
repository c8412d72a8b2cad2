import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { ConsentNeeded } from '../../../../crm/consent/web/embed/ConsentNeeded.tsx'

interface MarketingFieldProps {
  isCommercial: boolean
  /** The text is from a marketing template, so this cannot be switched off. */
  isOffer: boolean
  onChange: (isCommercial: boolean) => void
  contactId: string
  address: string
  /** The validation error, if any. */
  refusal: string | null
  className?: string
}

/** Whether an email is marketing: the law requires consent and an unsubscribe link. */
export function MarketingField({ isCommercial, isOffer, onChange, contactId, address, refusal, className }: MarketingFieldProps) {
  const needs = 'It requires the patient’s consent and includes an unsubscribe link.'
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
