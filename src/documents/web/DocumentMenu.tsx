import { Check, Download, Ellipsis, Eye, EyeOff, FileSearch, Pencil, TextCursorInput, Trash2, X } from 'lucide-react'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/overlays/DropdownMenu.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import type { DocumentData } from './document-data.ts'
import { fileUrl } from './fetch-file.ts'
import type { DocumentActions } from './useDocumentActions.ts'

interface DocumentMenuProps {
  document: DocumentData
  actions: DocumentActions
  onOpen: () => void
  onRename: () => void
  onDetails: () => void
  onAccept: () => void
  onReject: () => void
}

/** The actions menu of a document. */
export function DocumentMenu({ document, actions, onOpen, onRename, onDetails, onAccept, onReject }: DocumentMenuProps) {
  const { name, isShared, uploadSource, reviewState } = document
  const isPatients = uploadSource === 'patient'

  function share() {
    void actions.change(
      document,
      { isShared: !isShared },
      {
        done: isShared ? `${name} is no longer shared` : `${name} is shared with the patient`,
        failed: isShared ? `${name} is still shared` : `${name} was not shared`,
        undo: { isShared },
      },
    )
  }

  return (
    <DropdownMenu trigger={<IconButton label={`More about ${name}`} icon={<Ellipsis />} size="md" tooltipSide="left" />}>
      <MenuItem icon={<FileSearch />} onSelect={onOpen}>
        Preview
      </MenuItem>
      <MenuItem asChild>
        <a href={fileUrl(document)} download={name}>
          <Download />
          Download
        </a>
      </MenuItem>
      <MenuItem icon={<TextCursorInput />} onSelect={onRename}>
        Rename
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={onDetails}>
        Category and description…
      </MenuItem>
      <MenuItem icon={isShared ? <EyeOff /> : <Eye />} onSelect={share}>
        {isShared ? 'Stop sharing with the patient' : 'Share with the patient'}
      </MenuItem>
      {isPatients && reviewState !== 'accepted' && (
        <MenuItem icon={<Check />} onSelect={onAccept}>
          Accept
        </MenuItem>
      )}
      {isPatients && reviewState !== 'rejected' && (
        <MenuItem icon={<X />} onSelect={onReject}>
          Reject…
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={() => void actions.remove(document)}>
        Delete
      </MenuItem>
    </DropdownMenu>
  )
}
