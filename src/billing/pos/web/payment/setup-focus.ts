/** Focuses the first control of a field of the setup step. */
export function focusField(root: HTMLElement | null, field: string): void {
  root
    ?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] :is(input, button[role="combobox"], [role="radio"], [data-creates])`)
    ?.focus()
}

/** Focuses the remove button of a cart line. */
export function focusLine(root: HTMLElement | null, itemId: string): void {
  root?.querySelector<HTMLElement>(`[data-line="${CSS.escape(itemId)}"] [data-removes]`)?.focus()
}
