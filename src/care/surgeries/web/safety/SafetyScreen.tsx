import { Check, CircleCheckBig, CircleSlash, StickyNote } from 'lucide-react'
import { useRef, useState } from 'react'
import { AllergyBanner } from '../../../../chart/health/web/embed/AllergyBanner.tsx'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { type Clock, formatDay, formatTime } from '../../../../ui/format.ts'
import { FullScreen } from '../../../../ui/overlays/FullScreen.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { safetyMessages } from '../../safety-contract.ts'
import {
  currentAnswers,
  isIdentified,
  itemsOfPhase,
  nextPhase,
  phaseLabels,
  phaseProblems,
  type SafetyAnswer,
  type SafetyPhase,
  safetyPhases,
  teamRoles,
} from '../../safety-rules.ts'
import { formatProcedures } from '../labels.ts'
import { patientName, type SurgeryInList } from '../surgery-data.ts'
import { type SafetyChecklistData, useSafetyChecklist } from './useSafetyChecklist.ts'

const WaiveDialog = lazyDialog(
  () => import('./WaiveDialog.tsx'),
  ({ onClose }) => onClose(),
)
const NoteDialog = lazyDialog(
  () => import('../checklist/NoteDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface SafetyScreenProps {
  surgery: SurgeryInList
  names: Names
  onClose: () => void
}

/** The surgical safety checklist over the whole screen, for a tablet in the operating room: large targets, one phase at a time. */
export default function SafetyScreen({ surgery, names, onClose }: SafetyScreenProps) {
  const safety = useSafetyChecklist(surgery.id)
  const { data, error, refetch, isFetching } = safety.checklist
  const [isWaiving, setWaiving] = useState(false)
  const closed = data?.phases.filter(({ outcome }) => outcome !== null) ?? []
  const open = safetyPhases.filter((phase) => !closed.some((one) => one.phase === phase))
  const facts = [formatProcedures(surgery), providerName(surgery.surgeonId, names), roomName(surgery.roomId, names)].filter(Boolean)
  return (
    <FullScreen
      theme="page"
      title={<span className="text-lg">{patientName(surgery)}</span>}
      description={facts.join(' · ')}
      onClose={onClose}
      tools={
        data &&
        open.length > 0 && (
          <Button variant="quiet" icon={<CircleSlash />} onClick={() => setWaiving(true)}>
            Waive checklist
          </Button>
        )
      }
    >
      {data ? (
        <Phases data={data} names={names} safety={safety} onClose={onClose} />
      ) : error ? (
        <div className="p-6">
          <Alert
            tone="danger"
            title="Couldn’t load the safety checklist."
            action={
              <Button size="sm" busy={isFetching} busyLabel="Trying…" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {messageOf(error)} Go on with the checklist on paper if the patient is waiting.
          </Alert>
        </div>
      ) : (
        <div role="status" aria-label="Loading the safety checklist" className="mx-auto flex w-full max-w-3xl flex-col gap-6 p-6">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </div>
      )}
      {isWaiving && (
        <WaiveDialog
          surgeryId={surgery.id}
          open={open}
          onDone={() => {
            setWaiving(false)
            safety.refresh()
          }}
          onClose={() => setWaiving(false)}
        />
      )}
    </FullScreen>
  )
}

interface PhasesProps {
  data: SafetyChecklistData
  names: Names
  safety: ReturnType<typeof useSafetyChecklist>
  onClose: () => void
}

function Phases({ data, names, safety, onClose }: PhasesProps) {
  const closed = data.phases.filter(({ outcome }) => outcome !== null)
  const next = nextPhase(closed)
  const [chosen, setChosen] = useState<SafetyPhase | null>(null)
  const phase = chosen ?? next ?? 'sign_out'
  const body = useRef<HTMLDivElement>(null)
  function show(wanted: SafetyPhase | null) {
    setChosen(wanted)
    body.current?.scrollTo({ top: 0 })
  }
  return (
    <>
      <nav aria-label="Phases" className="grid flex-none grid-cols-3 border-b border-line">
        {safetyPhases.map((one, index) => {
          const { outcome } = data.phases.find((state) => state.phase === one)!
          const isShown = one === phase
          return (
            <button
              key={one}
              type="button"
              aria-current={isShown ? 'step' : undefined}
              onClick={() => show(one)}
              className={cn(
                'flex min-h-16 flex-col items-center justify-center gap-0.5 border-b-2 px-2 py-2 text-center outline-offset-[-2px] transition-colors duration-(--dur-1)',
                isShown ? 'border-accent text-fg' : 'border-transparent text-fg-2 hover:bg-hover',
              )}
            >
              <span className="flex items-center gap-2 text-md font-semibold">
                {outcome === null ? (
                  <span
                    aria-hidden="true"
                    className="flex size-5 items-center justify-center rounded-full border border-line-control text-xs"
                  >
                    {index + 1}
                  </span>
                ) : outcome === 'confirmed' ? (
                  <CircleCheckBig role="img" aria-label="Confirmed:" className="size-5 text-success-fg" />
                ) : (
                  <CircleSlash role="img" aria-label="Waived:" className="size-5 text-fg-3" />
                )}
                {phaseLabels[one].name}
              </span>
              <span className="text-xs text-fg-3 max-md:hidden">{phaseLabels[one].when}</span>
            </button>
          )
        })}
      </nav>
      <div ref={body} className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-3xl px-4 py-5 md:px-6">
          <AllergyBanner contactId={data.contactId} isInset />
          <Phase
            key={phase}
            phase={phase}
            isNext={phase === next}
            data={data}
            names={names}
            safety={safety}
            onConfirmed={() => show(null)}
            onClose={onClose}
          />
        </div>
      </div>
    </>
  )
}

interface PhaseProps extends PhasesProps {
  phase: SafetyPhase
  /** Its turn: the phases before it are closed. */
  isNext: boolean
  onConfirmed: () => void
}

function Phase({ phase, isNext, data, names, safety, onConfirmed, onClose }: PhaseProps) {
  const clock = useClock()
  const state = data.phases.find((one) => one.phase === phase)!
  const answers = currentAnswers(data.answers)
  const items = itemsOfPhase(phase)
  const isClosed = state.outcome !== null
  const [checked, setChecked] = useState<Readonly<Record<'name' | 'birth', boolean>>>({ name: false, birth: false })
  const [hasTried, setTried] = useState(false)
  const [noted, setNoted] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const problems = phaseProblems(phase, answers)
  const { name, dateOfBirth } = data.identity
  const isUnknown = isIdentified(phase) && !(checked.name && checked.birth)
  const before = safetyPhases[safetyPhases.indexOf(phase) - 1]

  async function confirm() {
    setTried(true)
    const first = isUnknown ? 'identity' : [...problems.open, ...problems.stopped][0]
    if (first !== undefined) {
      const group = list.current?.querySelector<HTMLElement>(`[data-item="${first}"]`)
      group?.scrollIntoView({ block: 'center' })
      group?.querySelector('button')?.focus({ preventScroll: true })
    } else if (await safety.confirm(phase, data)) onConfirmed()
  }

  const answered = items.length - problems.open.length
  const message = isUnknown
    ? 'Confirm the name and the birth date first.'
    : problems.open.length > 0
      ? problems.open.length === 1
        ? 'One item has no answer.'
        : `${problems.open.length} items have no answer.`
      : problems.stopped.length > 0
        ? 'Settle what was answered with No, and answer it again.'
        : undefined
  return (
    <div ref={list}>
      <h2 className="pt-5 pb-1 text-xl font-semibold text-fg">
        {phaseLabels[phase].name}
        <span className="block text-md font-normal text-fg-2">{phaseLabels[phase].when}</span>
      </h2>
      {isClosed && <Closed state={state} names={names} clock={clock} />}
      {!isClosed && isIdentified(phase) && (
        <div role="group" aria-label="Who the patient is" data-item="identity" className="border-b border-line py-4">
          <p className="pb-3 text-sm text-fg-2">Ask the patient, or read the wristband.</p>
          <div className="grid gap-2 md:grid-cols-2">
            <IdentityButton
              label="Name"
              value={name}
              isOn={checked.name}
              onToggle={() => setChecked((now) => ({ ...now, name: !now.name }))}
            />
            {dateOfBirth !== null && (
              <IdentityButton
                label="Born"
                value={formatDay(dateOfBirth)}
                isOn={checked.birth}
                onToggle={() => setChecked((now) => ({ ...now, birth: !now.birth }))}
              />
            )}
          </div>
          {dateOfBirth === null && (
            <Alert tone="warning" className="mt-3">
              {safetyMessages.noBirthDate}.
            </Alert>
          )}
          {hasTried && isUnknown && dateOfBirth !== null && (
            <p role="alert" className="pt-2 text-sm font-medium text-danger-fg">
              Tap both once they match.
            </p>
          )}
        </div>
      )}
      {state.outcome !== 'waived' && (
        <ul>
          {items.map((item) => {
            const given = answers.find((one) => one.item === item.id)
            const isStopped = problems.stopped.includes(item.id)
            const earlier = data.answers.filter((one) => one.item === item.id).length - 1
            return (
              <li key={item.id} data-item={item.id} className="border-b border-line py-4 last:border-b-0">
                <div className="flex flex-col gap-3 md:flex-row md:items-start md:gap-6">
                  <div className="min-w-0 flex-1">
                    <p className="text-xs text-fg-3">{teamRoles[item.role]}</p>
                    <p id={`safety-${item.id}`} className="text-md font-medium text-fg">
                      {item.question}
                    </p>
                    {given && (
                      <p className="pt-1 text-sm text-fg-3 tabular-nums">
                        {isClosed && <span className="text-fg">{item.answers[given.answer]} · </span>}
                        {providerName(given.answeredBy, names)}, {formatTime(given.answeredAt, clock.timeZone)}
                        {earlier > 0 && ` · changed ${earlier === 1 ? 'once' : `${earlier} times`}`}
                      </p>
                    )}
                    {given && given.note !== null && (
                      <p className="flex gap-1.5 pt-1 text-sm text-fg-2">
                        <StickyNote aria-hidden="true" className="mt-0.5 flex-none text-fg-3" />
                        <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{given.note}</span>
                      </p>
                    )}
                    {isStopped && !isClosed && (
                      <p role="alert" className="pt-1 text-sm font-medium text-danger-fg">
                        Stop. Settle this before you go on.
                      </p>
                    )}
                    {hasTried && !given && <p className="pt-1 text-sm font-medium text-danger-fg">Choose an answer.</p>}
                  </div>
                  {!isClosed && (
                    <div className="flex flex-none flex-col items-stretch gap-1 md:w-96">
                      <div role="group" aria-labelledby={`safety-${item.id}`} className="grid auto-cols-fr grid-flow-col gap-2">
                        {(Object.entries(item.answers) as [SafetyAnswer, string][]).map(([answer, label]) => (
                          <AnswerButton
                            key={answer}
                            label={label}
                            isOn={given?.answer === answer}
                            isStop={item.stops === answer}
                            isBusy={safety.busy === item.id}
                            onAnswer={() => void safety.answer(item.id, answer, given?.answer === answer ? given.note : null)}
                          />
                        ))}
                      </div>
                      {given && (
                        <Button variant="quiet" size="sm" className="self-end" icon={<StickyNote />} onClick={() => setNoted(item.id)}>
                          {given.note === null ? 'Add note' : 'Edit note'}
                        </Button>
                      )}
                    </div>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {!isClosed && (
        <div className="sticky bottom-0 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:px-6">
          <p role="status" className="min-w-0 flex-1 text-sm text-fg-2 tabular-nums">
            {hasTried && message ? (
              <span className="font-medium text-danger-fg">{message}</span>
            ) : (
              `${answered} of ${items.length} answered`
            )}
          </p>
          {isNext ? (
            <Button
              variant="filled"
              size="lg"
              className="h-14 px-6 md:h-14"
              busy={safety.busy === 'confirm'}
              busyLabel="Confirming…"
              onClick={() => void confirm()}
            >
              Confirm {phaseLabels[phase].name.toLowerCase()}
            </Button>
          ) : (
            <p className="text-sm text-fg-3">{before && `${phaseLabels[before].name} comes first.`}</p>
          )}
        </div>
      )}
      {isClosed && phase === 'sign_out' && data.phases.every(({ outcome }) => outcome !== null) && (
        <div className="flex justify-end border-t border-line py-4">
          <Button variant="filled" size="lg" className="h-14 px-6 md:h-14" onClick={onClose}>
            Back to the surgery
          </Button>
        </div>
      )}
      {noted !== null && (
        <NoteDialog
          title={items.find(({ id }) => id === noted)!.question}
          note={answers.find(({ item }) => item === noted)?.note ?? null}
          maxLength={500}
          onSave={(note) => safety.answer(noted, answers.find(({ item }) => item === noted)!.answer, note)}
          onClose={() => setNoted(null)}
        />
      )}
    </div>
  )
}

interface IdentityButtonProps {
  label: string
  value: string
  isOn: boolean
  onToggle: () => void
}

/** One of the two identifiers; pressed once it matches. */
function IdentityButton({ label, value, isOn, onToggle }: IdentityButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className={cn(
        'flex min-h-16 items-center gap-3 rounded-md border px-4 py-2 text-left transition-colors duration-(--dur-1)',
        isOn ? 'border-success-line bg-success-soft' : 'border-line-control bg-raised hover:bg-hover',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block text-xs text-fg-2">{label}</span>
        <span className="block text-lg font-semibold wrap-anywhere text-fg">{value}</span>
      </span>
      <span
        aria-hidden="true"
        className={cn(
          'flex size-7 flex-none items-center justify-center rounded-full border',
          isOn ? 'border-success bg-success text-on-solid' : 'border-line-control',
        )}
      >
        {isOn && <Check />}
      </span>
    </button>
  )
}

interface AnswerButtonProps {
  label: string
  isOn: boolean
  isStop: boolean
  isBusy: boolean
  onAnswer: () => void
}

function AnswerButton({ label, isOn, isStop, isBusy, onAnswer }: AnswerButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={isBusy}
      onClick={isOn ? undefined : onAnswer}
      className={cn(
        'flex min-h-12 items-center justify-center gap-1.5 rounded-md border px-2 py-1.5 text-center text-sm font-medium transition-colors duration-(--dur-1)',
        !isOn && 'border-line-control bg-raised text-fg hover:bg-hover active:bg-active',
        isOn && (isStop ? 'border-danger-line bg-danger-soft text-danger-fg' : 'border-accent bg-accent-soft text-accent-fg'),
      )}
    >
      {isOn && <Check aria-hidden="true" className="flex-none" />}
      {label}
    </button>
  )
}

interface ClosedProps {
  state: SafetyChecklistData['phases'][number]
  names: Names
  clock: Clock
}

/** Who confirmed or waived a phase, and when. */
function Closed({ state: { outcome, closedAt, closedBy, reason, identity }, names, clock }: ClosedProps) {
  const by = providerName(closedBy, names)
  const when = [closedAt && `at ${formatTime(closedAt, clock.timeZone)}`, by && `by ${by}`].filter(Boolean).join(' ')
  return (
    <Alert
      tone={outcome === 'confirmed' ? 'success' : 'info'}
      className="my-3"
      title={`${outcome === 'confirmed' ? 'Confirmed' : 'Waived'} ${when}.`}
    >
      {identity && `${identity.name}, born ${formatDay(identity.dateOfBirth)}, was identified. `}
      {reason ?? 'Nothing in it can be changed.'}
    </Alert>
  )
}
