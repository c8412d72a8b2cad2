/** Styles shared by the pages of the filter menu. */
export const filterInputStyle = 'h-11 w-full border-b border-line bg-transparent px-3 text-lg outline-none md:h-9 md:text-sm'
export const filterListStyle = 'max-h-[min(26rem,calc(var(--radix-popover-content-available-height)-6rem))] overflow-y-auto p-1'
export const filterItemStyle = 'flex h-11 cursor-default items-center gap-2.5 rounded-sm px-2 data-[selected=true]:bg-hover md:h-8'
