import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullName } from '../../../contacts/web/embed/contact-data.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { formatReasons } from '../reasons.ts'

/** Possible duplicates of a patient, for users who may merge patients. Renders nothing if there are none. */
export function PossibleDuplicates({ contactId }: { contactId: string }) {
  const cache = useQueryClient()
  const may = usePermission()
  const { ofContact } = orpc.duplicates
  const duplicates = useQuery(ofContact.queryOptions({ input: { contactId }, enabled: may('duplicates.ofContact') }))
  useLive(['contact', 'duplicate'], () => void cache.invalidateQueries({ queryKey: ofContact.key({ input: { contactId } }) }), {
    debounceMs: 1000,
  })
  if (!duplicates.data || duplicates.data.length === 0) return null
  return (
    <PanelSection title="Possible duplicates">
      <ul className="flex flex-col gap-2">
        {duplicates.data.map(({ contact, reasons }) => (
          <li key={contact.id} className="flex items-center gap-2 text-sm">
            <span className="min-w-0 flex-1">
              <Link
                to="/contacts/$id"
                params={{ id: contact.id }}
                className="rounded-xs font-medium wrap-anywhere text-fg underline-offset-2 hover:underline"
              >
                {fullName(contact)}
              </Link>
              <span className="block text-xs text-fg-3">{formatReasons(reasons)}</span>
            </span>
            <Button asChild size="sm">
              <Link
                to="/contacts/$id/merge"
                params={{ id: contactId }}
                search={{ with: contact.id }}
                aria-label={`Compare with ${fullName(contact)}`}
              >
                Compare
              </Link>
            </Button>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
