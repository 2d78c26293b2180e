// The view "pages": block tables of the sequences, the pool that they point into, both after a step of decoding, pages
// in use over the steps, and one CTA that reads through the table.
#pragma once
#include "viz/model/pages.h"
#include "viz/panels/view.h"

namespace explorer {

/// Holds the run, its moment and the choice, from which all cards of the view are drawn.
struct PagesShown {
  View& view;
  const PageMoment& moment;
  PageChoice chosen;

  const sim::PagePool& pool() const { return *moment.pool(); }
  const sim::PagedSequence& sequence() const { return moment.sequences()[static_cast<std::size_t>(chosen.sequence)]; }
  /// True if a sequence holds the chosen page.
  bool holds_chosen(std::size_t sequence) const;
};

/// An entry of the table whose arrow is drawn: from the entry along the gap below it to the right end of the table.
struct TableArrow {
  ui::Point entry, from;
  std::int64_t block = 0;
};
/// Where pages are drawn in the pool: so many in a cell of the grid.
struct PoolGrid {
  ui::Rect place;
  std::size_t columns = 1;
  float pitch = 8, gap = 1;
  std::int64_t per_cell = 1;
  bool numbered() const { return gap > 1; }
  ui::Rect cell(std::int64_t page) const;
};

/// Draws sequences and the block table of the chosen one; returns where its arrows begin.
std::vector<TableArrow> draw_block_tables(PagesShown& shown, ui::Rect card);
/// Draws the pool.
PoolGrid draw_page_pool(PagesShown& shown, ui::Rect card);
/// Draws arrows from entries to pages, the chosen one on top.
void draw_page_arrows(PagesShown& shown, const std::vector<TableArrow>& arrows, const PoolGrid& grid);
void draw_page_slots(PagesShown& shown, ui::Rect card);
/// Draws the transport, its sentence, and the pages in use over the steps.
void draw_page_steps(PagesShown& shown, ui::Rect card);
/// Draws how a CTA reads through the table.
void draw_page_cta(PagesShown& shown, ui::Rect card);

// Shared by the cards.
ui::Color sequence_color(const PagesShown& shown, std::size_t sequence);
/// Colour of pages that several sequences hold.
ui::Color shared_color(const View& view);
/// Colour of a page: grey if several sequences hold it, else that of its owner.
ui::Color page_color(const PagesShown& shown, std::int64_t page);
/// Draws a page, filled from below as far as it has tokens.
void draw_page(PagesShown& shown, ui::Rect place, std::int64_t page, bool framed);
/// Tooltip of a page, and a click on it, which selects it in a sequence.
void react_to_page(PagesShown& shown, std::string_view id, ui::Rect place, std::int64_t sequence, std::int64_t block);
void choose_page(const View& view, std::int64_t sequence, std::int64_t block);

/// The run in one sentence, for screen readers.
std::string pages_description(Language language, const State& state, const World& world);

}  // namespace explorer
