import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import type { rawRoutes } from '../../../kernel/access/policy.ts'
import { saveLinked } from '../../../ui/client/save-file.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Section } from '../../../ui/display/Section.tsx'
import { usePermission } from '../../../ui/client/usePermission.ts'

interface ExportLine {
  label: string
  hint: string
  needs: keyof typeof rawRoutes
  /** Path without the file extension. */
  address: string
  query?: string
}

const exportLines: readonly ExportLine[] = [
  { label: 'Patients', hint: 'All patients with every field', needs: 'contacts.export', address: '/api/contacts/export' },
  { label: 'Tasks', hint: 'All open tasks', needs: 'tasks.export', address: '/api/tasks', query: '?show=everyone' },
  {
    label: 'Appointments',
    hint: 'All appointments, including cancelled and missed ones',
    needs: 'appointments.export',
    address: '/api/appointments',
    query: '?all=true',
  },
  {
    label: 'Surgeries',
    hint: 'All surgeries, including cancelled ones',
    needs: 'surgeries.export',
    address: '/api/surgeries',
    query: '?all=true',
  },
  { label: 'Receipts', hint: 'Payments and refunds', needs: 'pos.export', address: '/api/pos/receipts' },
  {
    label: 'Collections',
    hint: 'Outstanding balances with amount and age',
    needs: 'collections.export',
    address: '/api/collections/outstanding',
  },
  {
    label: 'Conversations',
    hint: 'All inbox conversations, without the messages',
    needs: 'inbox.export',
    address: '/api/conversations',
    query: '?show=all',
  },
]

/** Imports a file, and exports lists as CSV or Excel. */
export function ImportAndExport() {
  const may = usePermission()
  const lines = exportLines.filter(({ needs }) => may(needs))
  return (
    <div className="flex flex-col gap-8">
      {may('imports.list') && (
        <Section id="import" title="Import">
          <div className="flex flex-wrap items-center justify-between gap-3 pt-3">
            <p className="min-w-0 flex-1 basis-64 text-sm text-fg-2">
              Import patients, tasks, interactions and documents from a CSV or Excel file. You see a preview first, and can undo an import
              for 30 days.
            </p>
            <Button asChild icon={<FileUp />}>
              <Link to="/contacts/import">Import file</Link>
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
            To export everything on file for one patient, open the patient and choose More actions, Export patient record.
          </p>
        )}
        <p className="pt-3 text-sm text-fg-3">The audit log records who exported what, and which patients were included.</p>
      </Section>
    </div>
  )
}
