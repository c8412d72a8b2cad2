import type { ReactNode } from 'react'
import { formatCents } from '../../../shared/translations.ts'
import CardForm from '../../../ui/patient/card/CardForm.tsx'
import { useLanguage } from '../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import type { PaymentForm } from './calls.ts'
import { HeldUntil } from './HeldStep.tsx'
import { bookingTexts } from './texts.ts'

interface PayStepProps {
  practice: string
  form: PaymentForm
  /** 0: only the card is kept. */
  depositCents: number
  isBusy: boolean
  /** Whether the payment was sent, so that it may have gone through. */
  isSent: boolean
  /** Whether no one knows what became of it: the connection broke. */
  isUncertain: boolean
  heldUntil: string
  error: ReactNode
  onBack: () => void
  /** Books it: the server asks Stripe what became of the payment. */
  onSent: () => void
}

/** The deposit, or the card that is kept, in Stripe's form. */
export default function PayStep({
  practice,
  form,
  depositCents,
  isBusy,
  isSent,
  isUncertain,
  heldUntil,
  error,
  onBack,
  onSent,
}: PayStepProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  if (isSent)
    return (
      <div className="flex flex-col items-start gap-5">
        {isBusy ? <p role="status">{t('confirming')}</p> : isUncertain ? <ErrorLine>{t('uncertain')}</ErrorLine> : error}
        <PortalButton variant="filled" busy={isBusy} busyLabel={t('confirming')} onClick={onSent}>
          {t('checkPayment')}
        </PortalButton>
      </div>
    )
  return (
    <>
      {error}
      <div className="pb-5">
        <HeldUntil until={heldUntil} />
      </div>
      <CardForm
        key={form.clientSecret}
        practice={practice}
        request={form}
        action={depositCents > 0 ? t('payDeposit', { amount: formatCents(depositCents, language) }) : t('keepCard')}
        back={t('back')}
        onBack={onBack}
        onOver={onSent}
      >
        {form.consent !== null && <p className="text-title leading-relaxed text-fg-2">{form.consent}</p>}
      </CardForm>
    </>
  )
}
