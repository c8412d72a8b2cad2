import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { formTexts } from '../../../chart/forms/web/embed/texts.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton, PortalSkeleton } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { isSessionOver, type PatientSession, uploadFile } from '../calls.ts'
import { type ClosedCode, closedCodeOf, fetchForm, type FormData } from '../forms/form-calls.ts'
import { type Ending, FormSaver } from '../forms/form-saver.ts'
import { Outcome } from '../Outcome.tsx'
import { portalTexts } from '../texts.ts'

const FillStage = lazy(() => import('../forms/FillStage.tsx'))

interface FormViewProps {
  session: PatientSession
  formId: string
  lastCall: { current: number }
  onOver: () => void
}

type Stage =
  | { name: 'opening' }
  | { name: 'failed' }
  | { name: 'filling'; form: FormData }
  | { name: 'done'; form: FormData }
  | { name: 'closed'; code: ClosedCode }

/** A form in the portal, with the session that is open. Leaving it saves first. */
export default function FormView({ session, formId, lastCall, onOver }: FormViewProps) {
  const language = useLanguage()
  const t = formTexts[language]
  const [saver] = useState(() => new FormSaver(lastCall))
  const [stage, setStage] = useState<Stage>({ name: 'opening' })
  const [sectionId, setSectionId] = useState<string | null>(null)
  const end = useEffectEvent((ending: Ending) => {
    if (ending === 'SESSION_OVER') return onOver()
    if (stage.name === 'filling') setStage(ending === 'DONE' ? { name: 'done', form: stage.form } : { name: 'closed', code: ending })
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
    setStage({ name: 'opening' })
    try {
      const form = await fetchForm(session, formId)
      saver.open(session, form)
      saver.touch()
      setStage({ name: 'filling', form })
    } catch (error) {
      if (isSessionOver(error)) return onOver()
      const code = closedCodeOf(error)
      setStage(code ? { name: 'closed', code } : { name: 'failed' })
    }
  }
  const openFirst = useEffectEvent(() => void open())
  useEffect(() => openFirst(), [])

  const loading = <PortalSkeleton rows={4} className="pt-6" />
  if (stage.name === 'opening') return loading
  if (stage.name === 'failed')
    return (
      <Card className="flex flex-col items-start gap-4">
        <ErrorLine>{portalTexts[language]('problems.unexpected')}</ErrorLine>
        <PortalButton onClick={() => void open()}>{frameTexts[language]('tryAgain')}</PortalButton>
      </Card>
    )
  if (stage.name === 'closed') return <Outcome title={t(`closedTitles.${stage.code}`)}>{t(`closed.${stage.code}`)}</Outcome>
  if (stage.name === 'done')
    return (
      <Outcome title={t('doneTitle')} isDone>
        {t('received', { title: stage.form.definition.title[language] })}
      </Outcome>
    )
  return (
    <Suspense fallback={loading}>
      <FillStage
        form={stage.form}
        language={language}
        saver={saver}
        sectionId={sectionId}
        onSection={setSectionId}
        onUpload={(file) => uploadFile(session, file, { formId: stage.form.id })}
        trust={t('trust')}
      />
    </Suspense>
  )
}
