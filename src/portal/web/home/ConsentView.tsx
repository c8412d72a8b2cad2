import { useEffect, useRef, useState } from 'react'
import { signingTexts } from '../../../chart/consent-forms/web/embed/texts.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import type { PatientSession } from '../calls.ts'
import SignStage, { type SignEnding } from '../consents/SignStage.tsx'
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
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (ending !== null) title.current?.focus()
  }, [ending])

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
  const [heading, text] =
    ending === 'SIGNED_NOW'
      ? [t('signedTitle'), homeTexts[language]('consentSigned')]
      : ending === 'DECLINED_NOW'
        ? [t('declinedTitle'), homeTexts[language]('consentDeclined')]
        : [t('closedTitle'), t(`closed.${ending}`)]
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {heading}
      </h1>
      <p role="status" className="pt-3 text-portal">
        {text}
      </p>
    </>
  )
}
