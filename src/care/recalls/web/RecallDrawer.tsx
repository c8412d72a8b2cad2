import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { telephoneLink } from '../../../crm/contacts/web/embed/contact-text.ts'
import { byId, type Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { ExportMenu } from '../../../ui/display/ExportMenu.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { Pagination } from '../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { formatCount, formatDate, formatPhone } from '../../../ui/format.ts'
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
  const directory = useDirectory()
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<'all' | 'open'>('all')
  const [answering, setAnswering] = useState<RecallPatientData | null>(null)
  const recall = useQuery(orpc.recalls.get.queryOptions({ input: { id } }))
  const patients = useQuery(
    orpc.recalls.patients.queryOptions({
      input: { id, page, limit: pageSize, ...(shown === 'open' && { answer: shown }) },
      placeholderData: keepPreviousData,
    }),
  )
  useLive(['recall'], () => void cache.invalidateQueries({ queryKey: orpc.recalls.key() }), { debounceMs: 1000 })
  const failed = recall.error ?? patients.error
  const { data } = patients
  const progress = recall.data?.progress
  return (
    <SideDrawer
      title={recall.data?.title ?? 'Recall'}
      onClose={onClose}
      footer={progress && progress.patients > 0 && <ExportMenu address="/api/recalls" filters={{ id }} />}
    >
      {recall.data && progress && data ? (
        <div className="flex flex-col gap-6">
          <Progress recall={recall.data} directory={directory} />
          <section aria-labelledby="recall-patients">
            <div className="flex min-h-9 items-center justify-between gap-3 border-b border-line pb-2">
              <h3 id="recall-patients" className="text-title font-semibold text-fg">
                Patients
              </h3>
              {progress.patients > 1 && (
                <SegmentedControl
                  aria-label="Patients shown"
                  value={shown}
                  onValueChange={(next) => {
                    setShown(next)
                    setPage(1)
                  }}
                  options={[
                    { value: 'all', label: `All ${formatCount(progress.patients)}` },
                    { value: 'open', label: `No answer yet ${formatCount(progress.patients - progress.answered)}` },
                  ]}
                />
              )}
            </div>
            {data.total === 0 && (
              <p className="pt-2.5 text-sm text-fg-3">
                {progress.patients > 0
                  ? 'Every patient has answered.'
                  : recall.data.isPrepared
                    ? 'No patient has such an implant.'
                    : 'Looking for patients with such an implant…'}
              </p>
            )}
            <ul>
              {data.data.map((patient) => (
                <Patient key={patient.id} patient={patient} directory={directory} onAnswer={() => setAnswering(patient)} />
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

function Progress({ recall, directory }: { recall: RecallData; directory: Directory }) {
  const clock = useClock()
  const { patients, letters, emailsSent, emailsFailed, answered } = recall.progress
  const starter = byId(directory.people, recall.createdBy)
  return (
    <Facts>
      <Fact label="Covers">{formatCriteria(recall)}</Fact>
      <Fact label="Started">
        {formatDate(recall.createdAt, clock.timeZone)}
        {starter && ` by ${starter.fullName}`}
      </Fact>
      {patients > 0 && (
        <>
          <Fact label="Letters">
            {formatCount(letters)} of {formatCount(patients)} made
          </Fact>
          <Fact label="Emails">
            {formatCount(emailsSent)} sent
            {emailsFailed > 0 && <span className="text-danger-fg"> · {formatCount(emailsFailed)} failed or uncertain</span>}
          </Fact>
          <Fact label="Answers">
            <span className="font-medium">
              {formatCount(answered)} of {formatCount(patients)}
            </span>
          </Fact>
        </>
      )}
    </Facts>
  )
}

interface PatientProps {
  patient: RecallPatientData
  directory: Directory
  onAnswer: () => void
}

function Patient({ patient, directory, onAnswer }: PatientProps) {
  const clock = useClock()
  const { contactId, firstName, lastName, phone, email, address, devices, attempts, answer, note } = patient
  const letter = attempts.find(({ channel }) => channel === 'letter')
  return (
    <li className="border-b border-line py-3 text-sm">
      <div className="flex items-start justify-between gap-3">
        <Link to="/contacts/$id" params={{ id: contactId }} className="relative min-w-0 font-medium text-fg touch-target hover:underline">
          <span className="block truncate">
            {firstName} {lastName}
          </span>
        </Link>
        <Badge tone={answer === 'open' ? 'warning' : 'success'}>{answerLabels[answer]}</Badge>
      </div>
      <p className="wrap-anywhere text-fg-2">
        {phone && (
          <a
            href={telephoneLink(phone) ?? undefined}
            className="relative whitespace-nowrap text-accent-fg tabular-nums touch-target hover:underline"
          >
            {formatPhone(phone)}
          </a>
        )}
        {phone && email && ' · '}
        {email}
        {!phone && !email && 'No phone or email on file'}
      </p>
      {address && <p className="text-fg-2">{address}</p>}
      <p className="pt-1 text-xs whitespace-pre-line text-fg-2 tabular-nums">
        {devices
          .map(({ name, lot, serial, side }) =>
            [side && sideLabels[side], name, unbroken(`lot ${lot}`), serial && unbroken(`serial ${serial}`)].filter(Boolean).join(', '),
          )
          .join('\n')}
      </p>
      <ul aria-label={`Attempts to reach ${firstName} ${lastName}`} className="pt-1 text-xs text-fg-3">
        {attempts.map((attempt) => {
          const by = byId(directory.people, attempt.by)
          const isByStaff = attempt.channel === 'phone' || attempt.channel === 'in_person'
          return (
            <li key={attempt.id} className="wrap-anywhere">
              {unbroken(formatDate(attempt.at, clock.timeZone))} · {formatAttempt(attempt)}
              {attempt.channel === 'letter' && attempt.address === null && ' without a postal address'}
              {isByStaff && by && `, ${by.fullName}`}
              {attempt.problem && `: ${attempt.problem}`}
              {attempt.note && <span className="block text-fg-2">{attempt.note}</span>}
            </li>
          )
        })}
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
