import { Ellipsis, FileText, FilePlus2, Pencil, Send, ThumbsDown, Undo2 } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { PdfLanguageItems } from '../../../../ui/overlays/PdfLanguageItems.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { mayRevise, mayWithdraw, quoteName } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import type { Action } from './action.ts'

interface QuoteActionsProps {
  quote: QuoteData
  onAction: (action: Action) => void
  onEdit: () => void
}

/** Actions allowed in the quote's status; the likely next one comes first. */
export function QuoteActions({ quote, onAction, onEdit }: QuoteActionsProps) {
  const may = usePermission()
  const { shownStatus, status, isNewest } = quote
  const revises = isNewest && mayRevise(status)
  // Withdrawing an accepted quote voids its charge.
  const withdraws = isNewest && mayWithdraw(status) && (status !== 'accepted' || may('collections.void'))
  const declines = status === 'sent' && isNewest
  return (
    <>
      {shownStatus === 'draft' && (
        <>
          <Button variant="filled" icon={<Send />} onClick={() => onAction('send')}>
            Send…
          </Button>
          <Button icon={<Pencil />} onClick={onEdit}>
            Edit
          </Button>
        </>
      )}
      {shownStatus === 'sent' && (
        <>
          <Button variant="filled" onClick={() => onAction('accept')}>
            Mark as accepted…
          </Button>
          <Button icon={<Send />} onClick={() => onAction('send')}>
            Resend…
          </Button>
        </>
      )}
      {revises && shownStatus !== 'sent' && (
        <Button variant="filled" icon={<FilePlus2 />} onClick={() => onAction('revise')}>
          New version…
        </Button>
      )}
      <Button asChild>
        <a href={`/api/quotes/${quote.id}.pdf`} target="_blank" rel="noopener noreferrer">
          <FileText /> PDF
        </a>
      </Button>
      <DropdownMenu trigger={<IconButton label={`More about ${quoteName(quote).toLowerCase()}`} icon={<Ellipsis />} variant="outlined" />}>
        <PdfLanguageItems href={`/api/quotes/${quote.id}.pdf`} />
        {((revises && shownStatus === 'sent') || declines || withdraws) && <MenuSeparator />}
        {revises && shownStatus === 'sent' && (
          <MenuItem icon={<FilePlus2 />} onSelect={() => onAction('revise')}>
            New version…
          </MenuItem>
        )}
        {declines && (
          <MenuItem icon={<ThumbsDown />} onSelect={() => onAction('decline')}>
            Patient declines…
          </MenuItem>
        )}
        {withdraws && (
          <MenuItem icon={<Undo2 />} danger onSelect={() => onAction('withdraw')}>
            {status === 'draft' ? 'Discard draft…' : 'Withdraw…'}
          </MenuItem>
        )}
      </DropdownMenu>
    </>
  )
}
