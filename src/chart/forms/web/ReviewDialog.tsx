import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import type { ContactData } from '../../../crm/contacts/web/embed/contact-data.ts'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../ui/client/refusal.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { useProblemFocus } from '../../../ui/forms/useProblemFocus.ts'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { AllergyBanner } from '../../health/web/embed/AllergyBanner.tsx'
import { currentReviewOf, type ReviewData, type ReviewItemData } from './form-data.ts'
import { keyOf } from '../review-rules.ts'
import { RedFlags } from './RedFlags.tsx'
import { type Correction, ReviewRow } from './ReviewRow.tsx'

interface ReviewDialogProps {
  form: { id: string; title: { en: string } }
  patient: Pick<ContactData, 'id' | 'firstName' | 'lastName' | 'preferredName' | 'dateOfBirth'>
  onClose: () => void
}

/** A submitted form beside the chart: each answer is accepted into it, or the chart keeps what it says. */
export default function ReviewDialog({ form, patient, onClose }: ReviewDialogProps) {
  const cache = useQueryClient()
  const options = orpc.forms.review.queryOptions({ input: { id: form.id }, staleTime: 0 })
  const query = useQuery(options)
  const [corrections, setCorrections] = useState<ReadonlyMap<string, Correction>>(new Map())
  const [busy, setBusy] = useState<string | null>(null)
  const [hasChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Why answers can't be written as they are, by `keyOf`. */
  const [marked, setMarked] = useState<Record<string, string>>({})
  const [tries, setTries] = useState(0)
  const content = useProblemFocus<HTMLDivElement>({ tries })
  const review = query.data
  const open = review?.items.filter(({ decision, state }) => decision === null && state !== 'same') ?? []
  const rest = review?.items.filter((item) => !open.includes(item)) ?? []
  // What contradicts the chart is decided one by one.
  const acceptable = open.filter(({ state }) => state !== 'contradiction')

  function show(next: ReviewData) {
    cache.setQueryData(options.queryKey, next)
    void cache.invalidateQueries({ queryKey: orpc.forms.ofContact.key() })
    void cache.invalidateQueries({ queryKey: orpc.forms.toReview.key() })
  }
  async function send(what: string, work: () => Promise<ReviewData>, sent: readonly ReviewItemData[] = []): Promise<boolean> {
    setBusy(what)
    setChanged(false)
    setProblem(null)
    setMarked({})
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
        setMarked(fields)
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
  function correct(item: ReviewItemData, correction: Correction) {
    setCorrections(new Map(corrections).set(keyOf(item), correction))
    setMarked(Object.fromEntries(Object.entries(marked).filter(([key]) => key !== keyOf(item))))
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
      description={<PatientIdentity patient={patient} />}
      head={{
        end: (
          <HelpLink to="forms#review-the-answers" className="max-md:hidden">
            How to review answers
          </HelpLink>
        ),
      }}
      onClose={onClose}
    >
      <DialogBody ref={content} className="flex flex-col gap-4">
        <AllergyBanner contactId={patient.id} isInset />
        {hasChanged && (
          <Alert tone="warning" title="The chart has changed since you opened this.">
            It shows what the chart says now. Nothing was written.
          </Alert>
        )}
        {problem && (
          <Alert tone="danger" title="Nothing was written.">
            {problem}
          </Alert>
        )}
        {review && review.redFlags.length > 0 && <RedFlags flags={review.redFlags} />}
        {query.error && !review ? (
          <ErrorState title="Couldn’t load the review" onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {messageOf(query.error)}
          </ErrorState>
        ) : !review ? (
          <SkeletonRows rows={6} />
        ) : review.items.length === 0 ? (
          <EmptyState icon={<Check />} title="No answers for the chart">
            This form proposes nothing for the chart. Read its answers and finish the review.
          </EmptyState>
        ) : (
          <>
            {open.length > 0 && (
              <Rows label="To decide">
                {open.map((item) => (
                  <ReviewRow
                    key={keyOf(item)}
                    item={item}
                    correction={corrections.get(keyOf(item)) ?? {}}
                    problem={marked[keyOf(item)]}
                    onCorrect={(correction) => correct(item, correction)}
                    isBusy={busy !== null}
                    onDecide={(decision) => void decide([item], decision, keyOf(item))}
                  />
                ))}
              </Rows>
            )}
            {rest.length > 0 && (
              <Rows label="Done">
                {rest.map((item) => (
                  <ReviewRow key={keyOf(item)} item={item} />
                ))}
              </Rows>
            )}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        {/* A phone has the ×, and no room for three. */}
        <Button size="lg" className={open.length > 0 ? 'max-md:hidden' : undefined} onClick={onClose}>
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
        {acceptable.length > 0 && (
          <Button
            size="lg"
            variant="filled"
            busy={busy === 'all'}
            busyLabel="Accepting…"
            disabled={busy !== null}
            onClick={() => void decide(acceptable, 'accepted', 'all')}
          >
            {`Accept ${acceptable.length === 1 ? '1 answer' : `all ${acceptable.length} answers`}`}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

/** The refused values by answer: the server names an answer, or the place of a decision in what was sent. */
function marksIn(fields: Record<string, string>, sent: readonly ReviewItemData[]): Record<string, string> {
  const marks = Object.entries(fields).map(([path, message]) => {
    const item = sent[Number(/^decisions[.](\d+)[.]/.exec(path)?.[1] ?? -1)]
    return [item ? keyOf(item) : path, message]
  })
  return Object.fromEntries(marks) as Record<string, string>
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <div
        aria-hidden="true"
        className="hidden gap-4 border-b border-line pb-1.5 text-xs font-medium text-fg-3 md:grid md:grid-cols-[minmax(0,11rem)_minmax(0,1fr)_minmax(0,1fr)_11.5rem]"
      >
        <span>{label}</span>
        <span>Patient’s answer</span>
        <span>Chart now</span>
        <span />
      </div>
      <h3 className="border-b border-line pb-1.5 text-title font-semibold md:hidden">{label}</h3>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}
