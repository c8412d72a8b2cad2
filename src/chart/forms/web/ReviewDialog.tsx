import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import type { ContactData } from '../../../crm/contacts/web/embed/contact-data.ts'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../ui/client/refusal.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Disclosure } from '../../../ui/display/Disclosure.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { Keys } from '../../../ui/display/Kbd.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { useProblemFocus } from '../../../ui/forms/useProblemFocus.ts'
import { today } from '../../../ui/format.ts'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { AllergyBanner } from '../../health/web/embed/AllergyBanner.tsx'
import { keyOf } from '../review-rules.ts'
import { valueOf } from '../value-rules.ts'
import { FormAnswers } from './FormAnswers.tsx'
import { currentReviewOf, type ReviewData, type ReviewItemData, type SentFormData } from './form-data.ts'
import { formatSubmitted } from './labels.ts'
import { RedFlags } from './RedFlags.tsx'
import { type Correction, DecidedRow, ReviewRow, rowColumns } from './ReviewRow.tsx'

interface ReviewDialogProps {
  form: Pick<SentFormData, 'id' | 'title' | 'submittedAt' | 'language'>
  patient: Pick<ContactData, 'id' | 'firstName' | 'lastName' | 'preferredName' | 'dateOfBirth'>
  onClose: () => void
}

/** A submitted form beside the chart: each answer is accepted into it, or the chart keeps what it says. */
export default function ReviewDialog({ form, patient, onClose }: ReviewDialogProps) {
  const cache = useQueryClient()
  const clock = useClock()
  const options = orpc.forms.review.queryOptions({ input: { id: form.id }, staleTime: 0 })
  const query = useQuery(options)
  const [corrections, setCorrections] = useState<ReadonlyMap<string, Correction>>(new Map())
  const [busy, setBusy] = useState<string | null>(null)
  const [hasChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Why the server did not take answers, by `keyOf`. */
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [tries, setTries] = useState(0)
  const content = useProblemFocus<HTMLDivElement>({ tries })
  const review = query.data
  const open = review?.items.filter(({ decision, state }) => decision === null && state !== 'same') ?? []
  const decided = review?.items.filter(({ decision }) => decision !== null) ?? []
  const same = review?.items.filter(({ decision, state }) => decision === null && state === 'same') ?? []
  const problemOf = (item: ReviewItemData) => refused[keyOf(item)] ?? textProblem(item, corrections.get(keyOf(item)), today(clock))
  // What contradicts the chart is decided one by one.
  const acceptable = open.filter(({ state }) => state !== 'contradiction')
  const fine = acceptable.filter((item) => problemOf(item) === undefined)
  const decisionFocus = useDecisionFocus(content, review !== undefined)

  function show(next: ReviewData) {
    cache.setQueryData(options.queryKey, next)
    void cache.invalidateQueries({ queryKey: orpc.forms.ofContact.key() })
    void cache.invalidateQueries({ queryKey: orpc.forms.toReview.key() })
  }
  async function send(what: string, work: () => Promise<ReviewData>, sent: readonly ReviewItemData[] = []): Promise<boolean> {
    setBusy(what)
    setChanged(false)
    setProblem(null)
    setRefused({})
    try {
      show(await work())
      return true
    } catch (error) {
      const current = currentReviewOf(error)
      if (current) {
        show(current)
        setChanged(true)
      } else {
        const fields = marksIn(fieldErrorsOf(error), sent)
        setRefused(fields)
        setTries((count) => count + 1)
        setProblem(Object.keys(fields).length > 0 ? 'Correct the marked answers, or keep the chart for them.' : messageOf(error))
      }
      return false
    } finally {
      setBusy(null)
    }
  }
  const decide = (items: readonly ReviewItemData[], decision: 'accepted' | 'kept', what: string) =>
    send(
      what,
      () =>
        client.forms.decide({
          id: form.id,
          decisions: items.map(({ question, part, seen }) => ({
            question,
            part,
            seen,
            decision,
            ...(decision === 'accepted' && corrections.get(keyOf({ question, part }))),
          })),
        }),
      items,
    )
  /** Decides about one answer, and moves the focus to the next. */
  async function decideOne(item: ReviewItemData, decision: 'accepted' | 'kept') {
    const at = open.indexOf(item)
    const next = open[at + 1] ?? open[at - 1]
    if (await decide([item], decision, keyOf(item))) decisionFocus.moveTo(next ? keyOf(next) : null)
    else decisionFocus.moveTo(keyOf(item))
  }
  /** Accepts what the chart takes, and moves the focus to the first answer that is left to correct. */
  async function acceptAll() {
    if (!(await decide(fine, 'accepted', 'all'))) return
    if (fine.length < acceptable.length) setTries((count) => count + 1)
    else decisionFocus.moveTo(null)
  }
  function correct(item: ReviewItemData, correction: Correction) {
    setCorrections(new Map(corrections).set(keyOf(item), correction))
    setRefused(Object.fromEntries(Object.entries(refused).filter(([key]) => key !== keyOf(item))))
  }
  async function finish() {
    if (!(await send('finish', () => client.forms.endReview({ id: form.id })))) return
    toast.success('Review finished')
    onClose()
  }

  return (
    <Dialog
      size="lg"
      title={`Review ${form.title.en}`}
      description={
        <>
          <PatientIdentity patient={patient} />
          <span className="block text-fg-3">{formatSubmitted(form, clock)}</span>
        </>
      }
      head={{
        end: (
          <HelpLink to="forms#review-the-answers" className="max-md:hidden">
            How to review answers
          </HelpLink>
        ),
      }}
      onClose={onClose}
    >
      {(hasChanged || problem) && (
        <div className="flex-none px-4 pt-4 md:px-6">
          {problem ? (
            <Alert tone="danger" title="Nothing was written.">
              {problem}
            </Alert>
          ) : (
            <Alert tone="warning" title="The chart has changed since you opened this.">
              It shows what the chart says now. Nothing was written.
            </Alert>
          )}
        </div>
      )}
      <DialogBody ref={content} className="flex flex-col gap-5">
        <AllergyBanner contactId={patient.id} isInset without={review?.redFlags.map(({ message }) => message.en)} />
        {query.error && !review ? (
          <ErrorState title="Couldn’t load the review" onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {messageOf(query.error)}
          </ErrorState>
        ) : !review ? (
          <SkeletonRows rows={6} />
        ) : (
          <>
            <RedFlags flags={review.redFlags} />
            {review.items.length === 0 && (
              <p className="text-md text-fg-2">None of its answers belong in the chart. Read them, then finish the review.</p>
            )}
            {open.length > 0 && (
              <Rows label="Differences from the chart" count={`${open.length} to decide`} hasHead>
                {open.map((item, at) => (
                  <ReviewRow
                    key={keyOf(item)}
                    item={item}
                    isFirst={open[at - 1]?.question !== item.question}
                    correction={corrections.get(keyOf(item)) ?? {}}
                    problem={problemOf(item)}
                    onCorrect={(correction) => correct(item, correction)}
                    isBusy={busy !== null}
                    onDecide={(decision) => {
                      if (decision === 'accepted' && problemOf(item)) content.current?.querySelector<HTMLElement>(fieldIn(item))?.focus()
                      else void decideOne(item, decision)
                    }}
                  />
                ))}
              </Rows>
            )}
            {decided.length > 0 && (
              <Rows label="Decided">
                {decided.map((item) => (
                  <DecidedRow key={keyOf(item)} item={item} />
                ))}
              </Rows>
            )}
            <div className="flex flex-col">
              {same.length > 0 && (
                <Disclosure summary={same.length === 1 ? '1 answer matches the chart' : `${same.length} answers match the chart`}>
                  <ul className="divide-y divide-line pb-2 pl-5.5">
                    {same.map((item) => (
                      <DecidedRow key={keyOf(item)} item={item} />
                    ))}
                  </ul>
                </Disclosure>
              )}
              <Disclosure summary="All answers of the form" isOpenAtFirst={review.items.length === 0}>
                <AllAnswers id={form.id} />
              </Disclosure>
            </div>
          </>
        )}
      </DialogBody>
      <DialogFooter>
        {fine.length > 0 && (
          <p aria-hidden="true" className="mr-auto flex items-center gap-1.5 text-xs text-fg-3 max-lg:hidden pointer-coarse:hidden">
            <Keys keys="up" />
            <Keys keys="down" /> next answer
            <Keys keys="enter" className="ml-2" /> decide
            <Keys keys="mod+enter" className="ml-2" /> accept all
          </p>
        )}
        {/* A phone has the ×, and no room for three. */}
        <Button size="lg" data-close className={open.length > 0 ? 'max-md:hidden' : undefined} onClick={onClose}>
          Close
        </Button>
        {review?.needsReview && (
          <Button
            size="lg"
            className="max-md:flex-1"
            variant={open.length === 0 ? 'filled' : 'outlined'}
            disabled={busy !== null}
            onClick={() => void finish()}
          >
            {open.length === 0 ? 'Finish review' : 'Keep chart for the rest'}
          </Button>
        )}
        {fine.length > 0 && (
          <Button
            size="lg"
            variant="filled"
            busy={busy === 'all'}
            busyLabel="Accepting…"
            disabled={busy !== null}
            onClick={() => void acceptAll()}
          >
            {fine.length < acceptable.length
              ? `Accept ${fine.length} without problems`
              : `Accept ${fine.length === 1 ? '1 answer' : `all ${fine.length} answers`}`}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

/** Why the chart does not take an answer as it is written now. */
function textProblem({ field, isNone, state, text }: ReviewItemData, correction: Correction | undefined, day: string): string | undefined {
  if (isNone || state === 'same') return undefined
  const written = correction?.text ?? text
  if (written.trim() === '') return 'Enter what to write'
  const value = valueOf(field, written, day)
  return value && 'problem' in value ? value.problem : undefined
}

/** The refused values by answer: the server names an answer, or the place of a decision in what was sent. */
function marksIn(fields: Record<string, string>, sent: readonly ReviewItemData[]): Record<string, string> {
  const marks = Object.entries(fields).map(([path, message]) => {
    const item = sent[Number(/^decisions[.](\d+)[.]/.exec(path)?.[1] ?? -1)]
    return [item ? keyOf(item) : path, message]
  })
  return Object.fromEntries(marks) as Record<string, string>
}

const rowOf = (key: string) => `[data-answer="${CSS.escape(key)}"]`
const fieldIn = (item: ReviewItemData) => `${rowOf(keyOf(item))} [aria-invalid="true"]`
/** Accept, or Keep chart where nothing can be accepted. */
const decisionIn = (row: string) => `${row} [data-decision]:last-of-type`

/** Where the focus goes: the first decision once the review is there, and the next after each. */
function useDecisionFocus(content: { readonly current: HTMLElement | null }, isLoaded: boolean) {
  const [moved, setMoved] = useState<{ to: string | null } | null>(null)
  const focus = useEffectEvent((selector: string) => {
    const dialog = content.current?.closest<HTMLElement>('[role="dialog"]')
    const target = dialog?.querySelector<HTMLElement>(selector) ?? dialog?.querySelector<HTMLElement>('[data-primary], [data-close]')
    target?.focus()
  })
  useEffect(() => {
    // A phone keeps the top in sight.
    if (isLoaded && !matchMedia('(pointer: coarse)').matches) focus(decisionIn('[data-answer]'))
  }, [isLoaded])
  useEffect(() => {
    if (moved) focus(moved.to === null ? '[data-close]' : decisionIn(rowOf(moved.to)))
  }, [moved])
  return { moveTo: (to: string | null) => setMoved({ to }) }
}

/**
 * The arrow keys walk the decisions: up and down to the same one of another answer, left and right to the other one. Enter in a corrected answer
 * accepts it.
 */
function walkDecisions(event: KeyboardEvent<HTMLElement>) {
  const { target, key, currentTarget } = event
  if (key === 'Enter' && !event.ctrlKey && !event.metaKey && isTextField(target)) {
    event.preventDefault()
    target.closest('[data-answer]')?.querySelector<HTMLElement>('[data-decision="accepted"]')?.click()
  }
  if (!(target instanceof HTMLElement) || target.dataset.decision === undefined) return
  const all = [...currentTarget.querySelectorAll<HTMLElement>('[data-decision]')]
  const alike = all.filter(({ dataset }) => dataset.decision === target.dataset.decision)
  const next = {
    ArrowDown: alike[alike.indexOf(target) + 1],
    ArrowUp: alike[alike.indexOf(target) - 1],
    ArrowLeft: target.previousElementSibling,
    ArrowRight: target.nextElementSibling,
  }[key]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

const isTextField = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

interface RowsProps {
  label: string
  count?: string
  /** The head of the columns. */
  hasHead?: boolean
  children: ReactNode
}

function Rows({ label, count, hasHead = false, children }: RowsProps) {
  return (
    <section aria-label={label}>
      <h3 className="flex items-baseline gap-2 border-b border-line pb-2 text-title font-semibold">
        {label} {count && <span className="text-sm font-regular text-fg-3">{count}</span>}
      </h3>
      {hasHead && (
        <div aria-hidden="true" className={`hidden pt-2 text-xs font-medium text-fg-3 md:grid ${rowColumns}`}>
          <span />
          <span>Patient’s answer</span>
          <span>Chart now</span>
          <span />
        </div>
      )}
      <ul {...{ onKeyDown: walkDecisions }}>{children}</ul>
    </section>
  )
}

function AllAnswers({ id }: { id: string }) {
  const form = useQuery(orpc.forms.get.queryOptions({ input: { id } }))
  return (
    <Asked query={form} failed="Couldn’t load the answers">
      {(data) => (
        <div className="flex max-w-(--measure) flex-col gap-5 pt-2 pl-5.5">
          <FormAnswers form={data} />
        </div>
      )}
    </Asked>
  )
}
