import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { ExportMenu } from '../../../ui/display/ExportMenu.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { Pagination } from '../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { formatDate, formatPhone } from '../../../ui/format.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { unbroken } from '../../../ui/unbroken.ts'
import { sideLabels } from '../../devices/web/embed/labels.ts'
import { formatCriteria } from '../rules.ts'
import { answerLabels, formatAttempt } from './labels.ts'
import type { RecallData, RecallPatientData } from './recall-data.ts'

const AnswerDialog = lazyDialog(
  () => import('./AnswerDialog.tsx'),
  ({ onClose }) => onClose(),
)

const pageSize = 50

/** A recall: how far it is, and each patient with how to reach them, every attempt and the answer. */
export default function RecallDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const cache = useQueryClient()
  const [page, setPage] = useState(1)
  const [answering, setAnswering] = useState<RecallPatientData | null>(null)
  const recall = useQuery(orpc.recalls.get.queryOptions({ input: { id } }))
  const patients = useQuery(orpc.recalls.patients.queryOptions({ input: { id, page, limit: pageSize }, placeholderData: keepPreviousData }))
  useLive(['recall'], () => void cache.invalidateQueries({ queryKey: orpc.recalls.key() }), { debounceMs: 1000 })
  const failed = recall.error ?? patients.error
  const { data } = patients
  return (
    <SideDrawer title={recall.data?.title ?? 'Recall'} onClose={onClose} footer={<ExportMenu address="/api/recalls" filters={{ id }} />}>
      {recall.data && data ? (
        <div className="flex flex-col gap-6">
          <Progress recall={recall.data} />
          <section aria-labelledby="recall-patients">
            <h3 id="recall-patients" className="border-b border-line pb-1.5 text-sm font-semibold text-fg">
              Patients
            </h3>
            {data.total === 0 && <p className="pt-2 text-sm text-fg-3">No patient has such an implant.</p>}
            <ul>
              {data.data.map((patient) => (
                <Patient key={patient.id} patient={patient} onAnswer={() => setAnswering(patient)} />
              ))}
            </ul>
            {data.total > pageSize && (
              <Pagination
                first={(page - 1) * pageSize + 1}
                last={(page - 1) * pageSize + data.data.length}
                total={data.total}
                page={page}
                pageSize={pageSize}
                onPageChange={setPage}
              />
            )}
          </section>
        </div>
      ) : failed ? (
        <ErrorState
          title="Couldn’t load the recall"
          onRetry={() => void Promise.all([recall.refetch(), patients.refetch()])}
          retrying={recall.isFetching || patients.isFetching}
        >
          {messageOf(failed)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={6} rowClassName="border-b-0 px-0 md:px-0" />
      )}
      {answering && <AnswerDialog patient={answering} onClose={() => setAnswering(null)} />}
    </SideDrawer>
  )
}

function Progress({ recall }: { recall: RecallData }) {
  const clock = useClock()
  const { patients, letters, emailsSent, emailsFailed, answered } = recall.progress
  return (
    <Facts>
      <Fact label="Covers">{formatCriteria(recall)}</Fact>
      <Fact label="Started">{formatDate(recall.createdAt, clock.timeZone)}</Fact>
      <Fact label="Letters">
        {letters} of {patients} made
      </Fact>
      <Fact label="Emails">
        {emailsSent} sent
        {emailsFailed > 0 && <span className="text-danger-fg"> · {emailsFailed} did not arrive or are uncertain</span>}
      </Fact>
      <Fact label="Answers">
        <span className="font-medium">
          {answered} of {patients}
        </span>
      </Fact>
    </Facts>
  )
}

function Patient({ patient, onAnswer }: { patient: RecallPatientData; onAnswer: () => void }) {
  const clock = useClock()
  const { contactId, firstName, lastName, phone, email, address, devices, attempts, answer, note } = patient
  const letter = attempts.find(({ channel }) => channel === 'letter')
  return (
    <li className="border-b border-line py-3 text-sm">
      <div className="flex items-start justify-between gap-3">
        <Link to="/contacts/$id" params={{ id: contactId }} className="min-w-0 truncate font-medium text-fg hover:underline">
          {firstName} {lastName}
        </Link>
        <Badge tone={answer === 'open' ? 'warning' : 'success'}>{answerLabels[answer]}</Badge>
      </div>
      <p className="text-fg-2">
        {[phone && formatPhone(phone), email, address].filter(Boolean).join(' · ') || 'No way to reach them is on file'}
      </p>
      <p className="text-xs whitespace-pre-line text-fg-2 tabular-nums">
        {devices
          .map(({ name, lot, serial, side }) =>
            [side && sideLabels[side], name, unbroken(`lot ${lot}`), serial && unbroken(`serial ${serial}`)].filter(Boolean).join(', '),
          )
          .join('\n')}
      </p>
      <ul aria-label={`Attempts to reach ${firstName} ${lastName}`} className="pt-1 text-xs text-fg-3">
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            {formatAttempt(attempt)}, {unbroken(formatDate(attempt.at, clock.timeZone))}
            {attempt.channel === 'letter' && attempt.address === null && ', without a postal address'}
            {attempt.problem && `: ${attempt.problem}`}
            {attempt.note && `: ${attempt.note}`}
          </li>
        ))}
      </ul>
      {note && !attempts.some((attempt) => attempt.note === note) && <p className="pt-1 text-fg-2">{note}</p>}
      <div className="flex flex-wrap gap-2 pt-2">
        <Button size="sm" onClick={onAnswer} aria-label={`Record answer of ${firstName} ${lastName}`}>
          Record answer
        </Button>
        {letter && (
          <Button asChild size="sm" variant="quiet" icon={<FileText />}>
            <a href={`/api/recall-letters/${letter.id}.pdf`} target="_blank" rel="noopener noreferrer">
              Open letter
            </a>
          </Button>
        )}
      </div>
    </li>
  )
}
