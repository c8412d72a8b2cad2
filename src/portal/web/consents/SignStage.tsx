import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { useClock } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { Card, ErrorLine, PortalButton, PortalField, PortalSkeleton } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { ConsentClauses, clauseElement, scopesElement } from '../../../chart/consent-forms/web/embed/ConsentClauses.tsx'
import { signingTexts } from '../../../chart/consent-forms/web/embed/texts.ts'
import { SignatureField } from '../../../chart/forms/web/embed/SignatureField.tsx'
import {
  type ConsentText,
  initialsOf,
  type Signing,
  signingLimits,
  signingProblems,
  type SigningProblem,
} from '../../../chart/consent-forms/rules.ts'
import type { Signature } from '../../../chart/forms/rules.ts'
import type { Language } from '../../../shared/translations.ts'
import { type Credentials, isSessionOver } from '../calls.ts'
import { portalTexts } from '../texts.ts'
import { type ClosedCode, closedCodeOf, type ConsentData, currentOf, fetchConsent, problemsOf, sign } from './consent-calls.ts'
import { DeclinePanel, QuestionPanel } from './SidePanels.tsx'
import { useShown } from './useShown.ts'

/** How the stage ends: the patient has decided, the consent form is closed, or the session is over. */
export type SignEnding = 'SIGNED_NOW' | 'DECLINED_NOW' | 'SESSION_OVER' | ClosedCode

interface SignStageProps {
  session: Credentials
  consentId: string
  language: Language
  /** On a tablet of the practice: the person who opened it. */
  defaultWitness?: string
  /** Minutes without activity after which the session ends. */
  idleMinutes?: number
  onEnd: (ending: SignEnding) => void
  /** Called after a call that extended the session. Someone else ends it after a time without activity. */
  onCalled: () => void
}

/** Reading and signing a consent form: the text at the left, the signature at the right, what is left to do below. */
export default function SignStage(props: SignStageProps) {
  const { session, consentId, language, onCalled, onEnd } = props
  const [consent, setConsent] = useState<ConsentData | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [attempts, setAttempts] = useState(0)
  /** What had been given when the text turned out to have changed. */
  const [before, setBefore] = useState<{ text: ConsentText; given: GivenSigning } | null>(null)
  const end = useEffectEvent(onEnd)
  const open = useEffectEvent(async () => {
    try {
      setConsent(await fetchConsent(session, consentId))
      onCalled()
    } catch (error) {
      const code = closedCodeOf(error)
      if (code) return end(code)
      if (isSessionOver(error)) return end('SESSION_OVER')
      setFailed(true)
    }
  })
  useEffect(() => void open(), [consentId, attempts])

  if (hasFailed) {
    return (
      <Card className="flex flex-col gap-4">
        <ErrorLine>{portalTexts[language]('problems.unexpected')}</ErrorLine>
        <PortalButton
          onClick={() => {
            setFailed(false)
            setAttempts(attempts + 1)
          }}
        >
          {frameTexts[language]('tryAgain')}
        </PortalButton>
      </Card>
    )
  }
  if (!consent) {
    return <PortalSkeleton rows={6} />
  }
  return (
    <SignForm
      {...props}
      // Another text, also the one in the other language, begins again: what was initialled was something else.
      key={consent.hashes[props.language]}
      consent={consent}
      before={before}
      onChanged={(current, given) => {
        setBefore({ text: consent.texts[language], given })
        setConsent(current)
      }}
    />
  )
}

type GivenSigning = Omit<Signing, 'shown' | 'signature'> & { signature: unknown }

interface SignFormProps extends SignStageProps {
  consent: ConsentData
  before: { text: ConsentText; given: GivenSigning } | null
  onChanged: (current: ConsentData, given: GivenSigning) => void
}

const nothingGiven: GivenSigning = { initials: {}, signature: undefined, agrees: false, scopes: [], witness: null, interpreter: null }

/** What someone gave for another version of a text, as far as it is the same. The signature and the statement are for one text only. */
function carriedOver(text: ConsentText, before: SignFormProps['before']): GivenSigning {
  if (!before || before.text.language !== text.language) return nothingGiven
  const { initials, scopes, witness, interpreter } = before.given
  const isSame = (clause: ConsentText['clauses'][number]) =>
    before.text.clauses.some(({ id, title, text: words }) => id === clause.id && title === clause.title && words === clause.text)
  return {
    ...nothingGiven,
    initials: Object.fromEntries(text.clauses.filter(isSame).map(({ id }) => [id, initials[id] ?? ''])),
    scopes: scopes.filter((scope) => text.scopes.some((one) => one.scope === scope)),
    witness,
    interpreter,
  }
}

function SignForm({ session, consent, language, defaultWitness = '', idleMinutes = 15, before, onChanged, onEnd }: SignFormProps) {
  const t = signingTexts[language]
  const text: ConsentText = consent.texts[language]
  const shown = useShown(text.clauses.map(({ id }) => id))
  const [given, setGiven] = useState<GivenSigning>(() => {
    const kept = carriedOver(text, before)
    return { ...kept, witness: text.needsWitness ? (kept.witness ?? (defaultWitness || null)) : null }
  })
  const [hasTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [panel, setPanel] = useState<'ask' | 'decline' | null>(null)
  const [hasAsked, setAsked] = useState(consent.hasAsked)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const set = (part: Partial<typeof given>) => setGiven((before) => ({ ...before, ...part }))
  const signing = { ...given, shown }
  const problems = signingProblems(text, signing, consent.acceptedNames)
  const isMissing = (field: SigningProblem['field']) => hasTried && problems.some((one) => one.field === field)

  async function submit() {
    if (isBusy) return
    setTried(true)
    setError(null)
    if (problems[0]) return showMissing(problems[0])
    setBusy(true)
    try {
      const complete = { ...signing, signature: given.signature as Signature }
      await sign(session, { id: consent.id, language, textHash: consent.hashes[language], signing: complete })
      onEnd('SIGNED_NOW')
    } catch (refused) {
      setBusy(false)
      const current = currentOf(refused)
      const found = problemsOf(refused)
      if (current) return onChanged(current, given)
      if (found?.[0]) return showMissing(found[0])
      leaveOr(refused, () => setError(t('signFailed')))
    }
  }
  /** Ends the stage if that is why a call was refused. */
  function leaveOr(refused: unknown, otherwise: () => void) {
    const code = closedCodeOf(refused)
    if (code) onEnd(code)
    else if (isSessionOver(refused)) onEnd('SESSION_OVER')
    else otherwise()
  }
  const initial = (clauseId: string) =>
    set({ initials: { ...given.initials, [clauseId]: given.initials[clauseId] ? '' : initialsOf(consent.signerName) } })

  const asides = (
    <>
      {!hasAsked && (
        <PortalButton className="max-md:flex-1 max-md:px-3 max-md:text-title" onClick={() => setPanel('ask')}>
          {t('ask')}
        </PortalButton>
      )}
      <PortalButton variant="quiet" className="max-md:flex-1 max-md:px-3 max-md:text-title" onClick={() => setPanel('decline')}>
        {t('decline')}
      </PortalButton>
    </>
  )
  return (
    <form
      noValidate
      aria-label={text.title}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="rounded-xl border border-line bg-surface"
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 p-4 md:p-8">
          <h1 ref={title} tabIndex={-1} className="pb-2 text-2xl font-semibold wrap-anywhere outline-none md:text-3xl">
            {text.title}
          </h1>
          {before?.text.language === language && (
            <p role="alert" className="mb-4 rounded-lg bg-warning-soft p-4 text-title">
              {t('changed')}
            </p>
          )}
          <ConsentClauses
            text={text}
            initials={given.initials}
            onInitial={initial}
            showsMissing={hasTried}
            scopes={given.scopes}
            onScopes={(scopes) => set({ scopes })}
          />
          <p className="border-t border-line pt-4 text-title text-fg-2">{t('trust', { minutes: idleMinutes })}</p>
        </div>
        <div className="border-line bg-subtle max-lg:border-t lg:rounded-r-xl lg:border-l">
          {/* Beside the text it stays in sight: between the page's header and the bar below. */}
          <div className="p-4 md:p-8 lg:sticky lg:top-18 lg:max-h-[calc(100dvh-10rem)] lg:overflow-y-auto lg:p-6">
            <Rail text={text} given={given} set={set} signerName={consent.signerName} isMissing={isMissing} />
            {hasAsked && (
              <p role="status" className="mt-5 border-t border-line pt-4 text-title text-fg-2">
                {t('asked')}
              </p>
            )}
            <div className="flex flex-wrap gap-3 pt-5 md:hidden">{asides}</div>
          </div>
        </div>
      </div>
      {panel === 'ask' && (
        <QuestionPanel
          session={session}
          consentId={consent.id}
          language={language}
          onSent={() => {
            setAsked(true)
            setPanel(null)
          }}
          onRefused={leaveOr}
          onClose={() => setPanel(null)}
        />
      )}
      {panel === 'decline' && (
        <DeclinePanel
          session={session}
          consentId={consent.id}
          language={language}
          onSent={() => onEnd('DECLINED_NOW')}
          onRefused={leaveOr}
          onClose={() => setPanel(null)}
        />
      )}
      <div className="sticky bottom-0 z-(--z-shell) rounded-b-xl border-t border-line bg-surface px-4 py-3 md:px-8 md:py-4">
        {error && <ErrorLine className="pb-3">{error}</ErrorLine>}
        <div className="flex items-center gap-3">
          <div className="flex flex-wrap gap-3 max-md:hidden">{asides}</div>
          <p role="status" className="ml-auto text-right text-title text-fg-2 tabular-nums max-md:ml-0 max-md:flex-1 max-md:text-left">
            {whatIsLeft(problems, language)}
          </p>
          <PortalButton
            type="submit"
            variant={problems.length > 0 ? 'outlined' : 'filled'}
            busy={isBusy}
            busyLabel={t('signing')}
            className="flex-none"
          >
            {t('sign')}
          </PortalButton>
        </div>
      </div>
    </form>
  )
}

/** The first kind of what is missing: '2 initials left'. */
function whatIsLeft(problems: readonly SigningProblem[], language: Language): string {
  const t = signingTexts[language]
  const initials = problems.filter(({ field }) => field === 'initials').length
  if (initials > 0) return t('left.initials', { count: initials })
  const [first] = problems
  if (!first || first.field === 'initials') return t('left.nothing')
  return t(first.field === 'name' ? 'left.nameShort' : `left.${first.field}`)
}

/** Scrolls to what is missing and gives it the focus. */
function showMissing({ field, clause }: SigningProblem) {
  const id = field === 'scopes' ? scopesElement : `sign-${field === 'name' ? 'signature' : field}`
  const element = document.getElementById(clause !== null ? clauseElement(clause) : id)
  element?.scrollIntoView({ block: 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
  const control = element?.matches('input, button') ? element : element?.querySelector<HTMLElement>('button, input')
  ;(control as HTMLElement | null)?.focus({ preventScroll: true })
}

interface RailProps {
  text: ConsentText
  given: GivenSigning
  set: (part: Partial<GivenSigning>) => void
  signerName: string
  isMissing: (field: SigningProblem['field']) => boolean
}

/** The signature, who else was there, and the sentence of intent. */
function Rail({ text, given, set, signerName, isMissing }: RailProps) {
  const { language, substitute } = text
  const t = signingTexts[language]
  const { now, timeZone } = useClock()
  const [hasInterpreter, setInterpreter] = useState(text.needsInterpreter || given.interpreter !== null)
  const problem = isMissing('name') ? t('left.name', { name: signerName }) : isMissing('signature') ? t('left.signature') : null
  const at = new Intl.DateTimeFormat(`${language}-CA`, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(now))
  return (
    <div className="flex flex-col gap-4">
      <div id="sign-signature">
        <h2 className={cn('text-portal font-semibold', !substitute && 'pb-2')}>{t('signature')}</h2>
        {substitute && (
          <p className="pb-2 text-title wrap-anywhere text-fg-2">{t('signerFor', { ...substitute, patient: text.patientName })}</p>
        )}
        {problem && <ErrorLine className="pb-2">{problem}</ErrorLine>}
        <SignatureField
          value={given.signature}
          onChange={(signature) => set({ signature })}
          language={language}
          isInvalid={isMissing('signature') || isMissing('name')}
        />
      </div>
      {text.needsWitness && (
        <PortalField
          id="sign-witness"
          label={t('witness')}
          maxLength={signingLimits.name}
          value={given.witness ?? ''}
          onChange={({ target }) => set({ witness: target.value || null })}
          error={isMissing('witness') ? t('left.witness') : null}
        />
      )}
      {!text.needsInterpreter && (
        <label className="flex min-h-12 items-center gap-3">
          <Checkbox
            large
            checked={hasInterpreter}
            onCheckedChange={(isThere) => {
              setInterpreter(isThere)
              if (!isThere) set({ interpreter: null })
            }}
          />
          <span>{t('hasInterpreter')}</span>
        </label>
      )}
      {hasInterpreter && (
        <PortalField
          id="sign-interpreter"
          label={t('interpreter')}
          maxLength={signingLimits.name}
          value={given.interpreter ?? ''}
          onChange={({ target }) => set({ interpreter: target.value || null })}
          error={isMissing('interpreter') ? t('left.interpreter') : null}
        />
      )}
      <div id="sign-agrees" className="border-t border-line pt-4">
        {isMissing('agrees') && <ErrorLine className="pb-2">{t('left.agrees')}</ErrorLine>}
        <label className="flex min-h-12 items-start gap-3">
          <span className="pt-0.5">
            <Checkbox large checked={given.agrees} onCheckedChange={(agrees) => set({ agrees })} />
          </span>
          <span>{text.statement}</span>
        </label>
      </div>
      <p className="text-title wrap-anywhere text-fg-2">
        {substitute
          ? t('signedAsFor', { name: substitute.name, relation: substitute.relation, patient: text.patientName, at })
          : t('signedAs', { name: signerName, at })}{' '}
        {t(text.scopes.length > 0 ? 'mayWithdrawUses' : 'mayWithdraw')}
      </p>
    </div>
  )
}
