import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { formTexts } from '../../../chart/forms/web/embed/texts.ts'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { isSessionOver, type PatientSession, uploadFile } from '../calls.ts'
import { type ClosedCode, closedCodeOf, fetchForm, type FormData } from '../forms/form-calls.ts'
import { type Ending, FormSaver } from '../forms/form-saver.ts'
import { portalTexts } from '../texts.ts'

const FillStage = lazy(() => import('../forms/FillStage.tsx'))

interface FormViewProps {
  session: PatientSession
  formId: string
  lastCall: { current: number }
  onOver: () => void
}

/** A form in the portal, with the session that is open. Leaving it saves first. */
export default function FormView({ session, formId, lastCall, onOver }: FormViewProps) {
  const language = useLanguage()
  const t = formTexts[language]
  const [saver] = useState(() => new FormSaver(lastCall))
  const [stage, setStage] = useState<FormData | ClosedCode | 'done' | 'failed' | null>(null)
  const [sectionId, setSectionId] = useState<string | null>(null)
  const end = useEffectEvent((ending: Ending) => {
    if (ending === 'SESSION_OVER') return onOver()
    setStage(ending === 'DONE' ? 'done' : ending)
  })
  useEffect(() => saver.setLanguage(language), [saver, language])
  useEffect(() => {
    const stop = saver.listen((ending) => end(ending))
    return () => {
      stop()
      void saver.flush().then(() => saver.discard())
    }
  }, [saver])

  async function open() {
    setStage(null)
    try {
      const form = await fetchForm(session, formId)
      saver.open(session, form)
      saver.touch()
      setStage(form)
    } catch (error) {
      if (isSessionOver(error)) return onOver()
      setStage(closedCodeOf(error) ?? 'failed')
    }
  }
  const openFirst = useEffectEvent(() => void open())
  useEffect(() => openFirst(), [])

  const loading = <SkeletonRows rows={4} className="pt-6" label={frameTexts[language]('loading')} />
  if (stage === null) return loading
  if (stage === 'failed')
    return (
      <Card className="flex flex-col items-start gap-4">
        <ErrorLine>{portalTexts[language]('problems.unexpected')}</ErrorLine>
        <PortalButton onClick={() => void open()}>{frameTexts[language]('tryAgain')}</PortalButton>
      </Card>
    )
  if (typeof stage === 'string')
    return (
      <>
        <h1 className="text-3xl font-semibold md:text-4xl">{stage === 'done' ? t('doneTitle') : t('closedTitle')}</h1>
        <p role="status" className="pt-3 text-portal">
          {stage === 'done' ? t('received') : t(`closed.${stage}`)}
        </p>
      </>
    )
  return (
    <Suspense fallback={loading}>
      <FillStage
        form={stage}
        language={language}
        saver={saver}
        sectionId={sectionId}
        onSection={setSectionId}
        onUpload={(file) => uploadFile(session, file, { formId: stage.id })}
        trust={t('trust')}
      />
    </Suspense>
  )
}
