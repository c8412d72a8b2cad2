import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Card, ErrorLine, PortalButton, PortalSkeleton } from '../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../ui/patient/PortalFrame.tsx'
import { continueInLanguage, useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { formTexts } from '../../../chart/forms/web/embed/texts.ts'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { portalTexts } from '../texts.ts'
import { type Credentials, isSessionOver, Refusal, signOut, uploadFile, verifyCode } from '../calls.ts'
import { type CodeStage, CodeStages, requestAgain } from '../CodeStages.tsx'
import { Outcome } from '../Outcome.tsx'
import { useIdle } from '../useIdle.ts'
import { type ClosedCode, closedCodeOf, fetchForm, type FormData } from './form-calls.ts'
import { type Ending, FormSaver } from './form-saver.ts'

/** Why the patient is at the first step again. */
type Notice = 'signedOut' | 'sessionOver'
type Stage =
  | CodeStage<Notice>
  | { name: 'opening'; session: Credentials; hasFailed: boolean }
  | { name: 'filling'; session: Credentials; form: FormData }
  | { name: 'closed'; code: ClosedCode }
  | { name: 'done'; form: FormData }

// Loaded while the patient looks for the code.
const loadFilling = () => import('./FillStage.tsx')
const FillStage = lazy(loadFilling)

const formId = () => location.pathname.split('/')[2] ?? ''
const inUrl = (name: string) => new URLSearchParams(location.search).get(name)?.trim() ?? ''

/**
 * /forms/{id}: a code from the patient's email, as in the portal, then the form. The session and answers that are not saved yet are kept only
 * in this component; they outlive a session that ended.
 */
export default function FormPage() {
  const language = useLanguage()
  const frame = useTexts(frameTexts)
  const [email, setEmail] = useState(() => inUrl('email'))
  const [stage, setStage] = useState<Stage>({ name: 'request', notice: null, isBack: false })
  const [sectionId, setSectionId] = useState<string | null>(null)
  const [saver] = useState(() => new FormSaver())
  const t = formTexts[language]
  const back = (notice: Notice) => setStage(requestAgain(notice))
  useEffect(() => saver.setLanguage(language), [language, saver])
  const end = useEffectEvent((ending: Ending) => {
    if (stage.name !== 'filling') return
    if (ending === 'SESSION_OVER') return back('sessionOver')
    void signOut(stage.session)
    setStage(ending === 'DONE' ? { name: 'done', form: stage.form } : { name: 'closed', code: ending })
  })
  useEffect(() => saver.listen((ending) => end(ending)), [saver])

  async function open(session: Credentials) {
    setStage({ name: 'opening', session, hasFailed: false })
    try {
      const form = await fetchForm(session, formId())
      // The language that was chosen last; on the first visit the one of this page.
      if (form.status === 'started' && !saver.hasPending) continueInLanguage(form.language)
      saver.open(session, form)
      setStage({ name: 'filling', session, form })
    } catch (error) {
      const code = closedCodeOf(error) ?? (error instanceof Refusal && error.code === 'INVALID_INPUT' ? 'NOT_FOUND' : null)
      if (code) {
        void signOut(session)
        return setStage({ name: 'closed', code })
      }
      if (isSessionOver(error)) return back('sessionOver')
      setStage({ name: 'opening', session, hasFailed: true })
    }
  }
  /** What is not saved yet is saved first, as far as that is possible. */
  async function leave(session: Credentials, notice: Notice) {
    const isSaved = await saver.flush()
    void signOut(session)
    if (isSaved) saver.discard()
    back(notice)
  }

  const session = stage.name === 'filling' ? stage.session : null
  return (
    <PortalFrame
      title={stage.name === 'filling' ? stage.form.definition.title[language] : t('title')}
      announcement={
        stage.name === 'verify' ? portalTexts[language]('codeIntro') : stage.name === 'filling' ? portalTexts[language]('signedIn') : ''
      }
      narrow={stage.name !== 'filling'}
      onSignOut={session ? () => void leave(session, 'signedOut') : undefined}
    >
      {(stage.name === 'request' || stage.name === 'verify') && (
        <CodeStages
          title={t('title')}
          email={email}
          onEmail={setEmail}
          stage={stage}
          onStage={setStage}
          describe={(notice) => ({ text: t(notice), isError: notice === 'sessionOver' })}
          opens={{ kind: 'form', id: formId() }}
          onSent={() => void loadFilling().catch(() => undefined)}
          verify={verifyCode}
          onVerified={(verified) => void open(verified)}
        />
      )}
      {stage.name === 'opening' && <h1 className="text-3xl font-semibold md:text-4xl">{t('title')}</h1>}
      {stage.name === 'opening' &&
        (stage.hasFailed ? (
          <Card className="mt-6 flex flex-col gap-4">
            <ErrorLine>{portalTexts[language]('problems.unexpected')}</ErrorLine>
            <PortalButton onClick={() => void open(stage.session)}>{frame('tryAgain')}</PortalButton>
          </Card>
        ) : (
          <PortalSkeleton rows={4} className="pt-6" />
        ))}
      {stage.name === 'filling' && (
        <Suspense fallback={<PortalSkeleton rows={4} className="pt-6" />}>
          <SignOutWhenIdle
            session={stage.session}
            formId={stage.form.id}
            saver={saver}
            onIdle={() => void leave(stage.session, 'sessionOver')}
          />
          <FillStage
            form={stage.form}
            language={language}
            saver={saver}
            sectionId={sectionId}
            onSection={setSectionId}
            onUpload={(file) => uploadFile(stage.session, file, { formId: stage.form.id })}
            trust={t('trust')}
          />
        </Suspense>
      )}
      {stage.name === 'done' && (
        <Outcome title={t('doneTitle')} isDone portalEmail={email}>
          {`${t('received', { title: stage.form.definition.title[language] })} ${t('closePage')}`}
        </Outcome>
      )}
      {stage.name === 'closed' && (
        <Outcome title={t(`closedTitles.${stage.code}`)} portalEmail={email}>
          {t(`closed.${stage.code}`)}
        </Outcome>
      )}
    </PortalFrame>
  )
}

interface SignOutWhenIdleProps {
  session: Credentials
  formId: string
  saver: FormSaver
  onIdle: () => void
}

function SignOutWhenIdle({ session, formId: id, saver, onIdle }: SignOutWhenIdleProps) {
  useIdle({
    lastCall: saver.lastCall,
    extendSession: async () => {
      await fetchForm(session, id)
      saver.touch()
    },
    onEnd: onIdle,
  })
  return null
}
