import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import type { rawRoutes } from '../../../kernel/access/policy.ts'
import { saveLinked } from '../../../ui/client/save-file.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Section } from '../../../ui/display/Section.tsx'
import { useMay } from '../../../ui/client/useMay.ts'

interface ExportLine {
  label: string
  hint: string
  needs: keyof typeof rawRoutes
  /** Without its ending. */
  address: string
  query?: string
}

const exportLines: readonly ExportLine[] = [
  { label: 'Patients', hint: 'All of them, with every field', needs: 'contacts.export', address: '/api/contacts/export' },
  { label: 'Tasks', hint: 'All that are open', needs: 'tasks.export', address: '/api/tasks', query: '?whose=everyone' },
  {
    label: 'Appointments',
    hint: 'All, also cancelled and missed ones',
    needs: 'appointments.export',
    address: '/api/appointments',
    query: '?all=true',
  },
  { label: 'Surgeries', hint: 'All, also cancelled ones', needs: 'surgeries.export', address: '/api/surgeries', query: '?all=true' },
  { label: 'Receipts', hint: 'Payments and refunds', needs: 'pos.export', address: '/api/pos/receipts' },
  { label: 'Collections', hint: 'Who owes, how much and since when', needs: 'collections.export', address: '/api/collections/owing' },
  {
    label: 'Conversations',
    hint: 'All of the inbox, without the messages themselves',
    needs: 'inbox.export',
    address: '/api/conversations',
    query: '?show=all',
  },
]

/** Lists that come and go as files. */
export function ImportAndExport() {
  const may = useMay()
  const lines = exportLines.filter(({ needs }) => may(needs))
  return (
    <div className="flex flex-col gap-8">
      {may('imports.list') && (
        <Section id="import" title="Import">
          <div className="flex flex-wrap items-center justify-between gap-3 pt-3">
            <p className="min-w-0 flex-1 basis-64 text-sm text-fg-2">
              Patients, tasks, interactions and documents from a CSV or Excel file. Nothing is imported before you have seen what would be,
              and it can be undone for 30 days.
            </p>
            <Button asChild icon={<FileUp />}>
              <Link to="/contacts/import">Import a file</Link>
            </Button>
          </div>
        </Section>
      )}
      <Section id="export" title="Export">
        <ul aria-label="Export">
          {lines.map(({ label, hint, address, query = '' }) => (
            <li key={label} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
              <p className="min-w-0 flex-1 basis-56">
                <span className="block text-md font-medium text-fg">{label}</span>
                <span className="block text-sm text-fg-3">{hint}</span>
              </p>
              <span className="flex gap-2">
                {(['csv', 'xlsx'] as const).map((format) => (
                  <Button key={format} asChild>
                    <a
                      href={`${address}.${format}${query}`}
                      download
                      onClick={saveLinked}
                      aria-label={`${label} as ${format === 'csv' ? 'CSV' : 'Excel'}`}
                    >
                      {format === 'csv' ? 'CSV' : 'Excel'}
                    </a>
                  </Button>
                ))}
              </span>
            </li>
          ))}
        </ul>
        {may('wholeRecords.file') && (
          <p className="pt-3 text-sm text-fg-2">
            For a patient who asks for everything that is kept of them: open the patient, More actions, Export whole record.
          </p>
        )}
        <p className="pt-3 text-sm text-fg-3">Who exported what, and whose data was in it, is in the audit log.</p>
      </Section>
    </div>
  )
}
