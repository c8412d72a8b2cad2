import type { ConsentChannel } from '../../../../crm/consent/rules.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { ConsentNeeded } from '../../../../crm/consent/web/embed/ConsentNeeded.tsx'

interface MarketingFieldProps {
  isCommercial: boolean
  /** The text is from a marketing template, so this cannot be switched off. */
  isOffer: boolean
  onChange: (isCommercial: boolean) => void
  contactId: string
  channel?: ConsentChannel
  address: string
  /** The validation error, if any. */
  refusal: string | null
  className?: string
}

export const marketingLabels: Record<ConsentChannel, string> = {
  email: 'Marketing email (requires consent)',
  text: 'Marketing text (requires consent)',
}

/** Whether a message is marketing: the law requires consent, the sender’s address and a way to unsubscribe. */
export function MarketingField({
  isCommercial,
  isOffer,
  onChange,
  contactId,
  channel = 'email',
  address,
  refusal,
  className,
}: MarketingFieldProps) {
  const isText = channel === 'text'
  const needs = isText
    ? 'It requires the patient’s consent, and ends with the practice’s address and how to stop.'
    : 'It requires the patient’s consent and includes an unsubscribe link.'
  return (
    <div className={className}>
      <CheckboxLine
        checked={isCommercial || isOffer}
        disabled={isOffer}
        onCheckedChange={onChange}
        hint={isOffer ? `Its template is marketing. ${needs}` : needs}
      >
        {marketingLabels[channel]}
      </CheckboxLine>
      {refusal !== null && <ConsentNeeded contactId={contactId} channel={channel} address={address} message={refusal} className="pt-2" />}
    </div>
  )
}
