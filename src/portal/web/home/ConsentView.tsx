import { useState } from 'react'
import { signingTexts } from '../../../chart/consent-forms/web/embed/texts.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import type { PatientSession } from '../calls.ts'
import SignStage, { type SignEnding } from '../consents/SignStage.tsx'
import { Outcome } from '../Outcome.tsx'
import { homeTexts } from './texts.ts'

interface ConsentViewProps {
  session: PatientSession
  consentId: string
  /** Called after a call that extended the session. */
  onCalled: () => void
  onOver: () => void
}

/** A consent form in the portal, with the session that is open. */
export default function ConsentView({ session, consentId, onCalled, onOver }: ConsentViewProps) {
  const language = useLanguage()
  const t = signingTexts[language]
  const [ending, setEnding] = useState<Exclude<SignEnding, 'SESSION_OVER'> | null>(null)

  if (ending === null)
    return (
      <SignStage
        session={session}
        consentId={consentId}
        language={language}
        onCalled={onCalled}
        onEnd={(as) => (as === 'SESSION_OVER' ? onOver() : setEnding(as))}
      />
    )
  if (ending === 'SIGNED_NOW')
    return (
      <Outcome title={t('signedTitle')} isDone>
        {homeTexts[language]('consentSigned')}
      </Outcome>
    )
  if (ending === 'DECLINED_NOW') return <Outcome title={t('declinedTitle')}>{homeTexts[language]('consentDeclined')}</Outcome>
  return <Outcome title={t(`closedTitles.${ending}`)}>{t(`closed.${ending}`)}</Outcome>
}
