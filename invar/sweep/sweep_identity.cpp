// See sweep_identity.h.
#include "invar/sweep/sweep_identity.h"

#include <fmt/format.h>

#include <filesystem>

#include "invar/record/file.h"
#include "invar/record/summary.h"
#include "invar/sweep/record_file.h"

namespace invar {

namespace {

namespace fs = std::filesystem;

// Every text of the model that is the name of a file counts with its content, whatever it is for.
void add_files(const model::Value& value, const fs::path& folder, std::string& text) {
  if (const auto* items = value.as<model::Array>())
    for (const model::Value& item : *items) add_files(item, folder, text);
  if (const auto* table = value.as<model::Table>())
    for (const model::Entry& entry : *table) add_files(entry.value, folder, text);
  const auto* name = value.as<std::string>();
  std::error_code error;
  if (name == nullptr || name->empty() || name->size() > 4096 || !fs::is_regular_file(folder / *name, error)) return;
  const std::string content = read_text(folder / *name);
  text += fmt::format("file {}: {} bytes, {:08x}\n", *name, content.size(), checksum(content));
}

}  // namespace

std::string identity_of(const SweptModel& model, const SweepSettings& settings, const Design& design) {
  std::string text = fmt::format("version {}\ntask {}\nformulation {}\nmethod {}\n", program_version(), settings.task,
                                 model.formulation.value_or(""), model.given.method);
  for (const auto& [option, value] : model.given.values) text += fmt::format("{} {}\n", option, value);
  for (const auto& [name, value] : model.overrides) text += fmt::format("set {} = {}\n", name, value);
  for (const Factor& factor : design.factors())
    for (std::size_t i = 0; i < factor.names.size(); ++i)
      text += fmt::format("over {}{} = {}\n", i > 0 ? "+ " : "", factor.names[i], factor.values[i].text());
  text += fmt::format("sampling {}, {} samples, seed {}\n", sampling_name(design.sampling()), design.samples(),
                      design.seed());
  text += fmt::format("record {}\n", fmt::join(settings.recorded(), ", "));
  if (settings.device != "cpu") text += fmt::format("device {}\n", settings.device);
  add_files({{}, model.document.root}, fs::path(model.document.file).parent_path(), text);
  return text + "model\n" + model.document.text;
}

}  // namespace invar
