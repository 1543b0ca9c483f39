// Model files as text and as dicts.
#include "app/examples.h"
#include "invar/model/file/write_document.h"
#include "python/binding.h"

namespace invar::python {

namespace {

using model::Document;

py::dict dict_of(const Document& document) { return py::reinterpret_borrow<py::dict>(from_value({{}, document.root})); }

std::string text_of(const py::dict& model) {
  const model::Value value = to_value(model, "model");
  return write_document(*value.as<model::Table>());
}

// A copy with settings in one of its tables.
Document changed(Document document, const std::string& table, const py::dict& settings) {
  const model::Value value = to_value(settings, table);
  for (const model::Entry& entry : *value.as<model::Table>()) set(document, table, entry);
  return document;
}

}  // namespace

void bind_documents(py::module_& module) {
  py::class_<Document>(module, "Document")
      .def(py::init(&model::parse_document), py::arg("text"), py::arg("file"))
      .def_static("read", &model::read_document, py::arg("path"))
      .def_readonly("text", &Document::text)
      .def_readonly("file", &Document::file)
      .def_readwrite("may_read_outside", &Document::may_read_outside)
      .def("to_dict", &dict_of)
      .def("changed", &changed, py::arg("table"), py::arg("settings"));
  module.def("write_toml", &text_of, py::arg("model"));
  module.def("set_examples_folder", [](const std::string& folder) { app::set_examples_folder(folder); });
  module.def("find_model", &app::find_model);
  module.def("examples", [] {
    std::vector<std::pair<std::string, std::string>> names;
    for (const app::Example& e : app::bundled_examples()) names.emplace_back(e.name, e.title);
    return names;
  });
}

}  // namespace invar::python
